/** Searches that one keeps: saved under their own words, there in the palette too. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "../app/router";
import { Button } from "../ui/button";
import { orGone, removeLater, useHidden } from "../ui/deletions";
import { useAction } from "../ui/hooks/use-action";
import { Icon } from "../ui/icons";
import { FailureNotice } from "../ui/notice";
import { deleteSearch, savedQuery, saveSearch } from "./api";
import { searchAddress } from "./search-address";
import styles from "./search.module.css";

export function Saved({ query }: { readonly query: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: all = [] } = useQuery(savedQuery);
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: savedQuery.queryKey });
  };
  const save = useAction(saveSearch, { done: refresh });
  const hidden = useHidden();
  const drop = (id: string, name: string) => {
    removeLater({
      text: t("search.deleted", { name }),
      hides: [id],
      send: () => orGone(deleteSearch(id)),
      settle: () => queries.invalidateQueries({ queryKey: savedQuery.queryKey }),
    });
  };
  const saved = all.filter(({ id }) => !hidden.has(id));
  const words = query.trim();
  const isSaved = saved.some((each) => each.query === words);
  return (
    <div className={styles["saved"]}>
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
      {saved.length > 0 && (
        <ul aria-label={t("search.savedTitle")}>
          {saved.map(({ id, name, query: kept }) => (
            <li key={id}>
              <Link to={searchAddress({ q: kept })}>{name}</Link>
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
      )}
      <FailureNotice failure={save.failure} />
    </div>
  );
}
