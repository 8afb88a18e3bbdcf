import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { knownQuery, libraryKey, savePage } from "../library/api";
import { Button, buttonClass } from "../ui/button";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice } from "../ui/notice";

/** Saves a page to the library; one that is there already leads to it. */
export function SaveButton({ address }: { readonly address: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const known = useQuery(knownQuery(address));
  const save = useAction(() => savePage(address, null), {
    done: () => {
      void queries.invalidateQueries({ queryKey: libraryKey });
    },
  });
  const saved = known.data?.pages[0];
  if (saved)
    return (
      <Link className={buttonClass("plain")} to={`/library/pages/${saved.id}`}>
        {t("visited.saved")}
      </Link>
    );
  return (
    <>
      <Button
        isBusy={save.isBusy}
        onClick={() => {
          save.run();
        }}
      >
        {t("visited.save")}
      </Button>
      <FailureNotice failure={save.failure} />
    </>
  );
}
