/** Searches that one keeps: saved under their own words, there in the palette too. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { Button } from "../ui/button";
import { orGone, removeLater, useHidden } from "../ui/deletions";
import { useAction } from "../ui/hooks/use-action";
import { Icon } from "../ui/icons";
import { FailureNotice } from "../ui/notice";
import { deleteSearch, savedQuery, saveSearch } from "./api";
import { searchAddress } from "./search-address";
import styles from "./search.module.css";

export function SaveButton({ query }: { readonly query: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const saved = useSaved();
  const save = useAction(saveSearch, {
    done: () => {
      void queries.invalidateQueries({ queryKey: savedQuery.queryKey });
    },
  });
  const words = query.trim();
  const isSaved = saved.some((each) => each.query === words);
  return (
    <>
      {words !== "" && (
        <Button
          isBusy={save.isBusy}
          isDisabled={isSaved}
          onClick={() => {
            save.run(words);
          }}
        >
          {isSaved ? t("search.saved") : t("search.save")}
        </Button>
      )}
      <FailureNotice failure={save.failure} />
    </>
  );
}

/** In one line, however many there are: what was found begins right below. */
export function SavedSearches() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const saved = useSaved();
  const drop = (id: string, name: string) => {
    removeLater({
      text: t("search.deleted", { name }),
      hides: [id],
      send: () => orGone(deleteSearch(id)),
      settle: () => queries.invalidateQueries({ queryKey: savedQuery.queryKey }),
    });
  };
  if (saved.length === 0) return null;
  return (
    <ul className={styles["saved"]} aria-label={t("search.savedTitle")}>
      {saved.map(({ id, name, query }) => (
        <li key={id}>
          <Link to={searchAddress({ q: query })}>{name}</Link>
          <button
            type="button"
            aria-label={t("search.delete", { name })}
            onClick={() => {
              drop(id, name);
            }}
          >
            <Icon name="bin" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function useSaved() {
  const { data: all = [] } = useQuery(savedQuery);
  const hidden = useHidden();
  return all.filter(({ id }) => !hidden.has(id));
}
