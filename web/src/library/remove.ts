import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { removeLater } from "../ui/deletions";
import { changePages, libraryKey, pageQuery } from "./api";

/** Deletes saved pages, unless that is undone in time. */
export function useRemovePages(): (ids: readonly string[]) => void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (ids) => {
    removeLater({
      text: t("library.selection.deleted", { count: ids.length }),
      hides: ids,
      send: () => changePages(ids, { delete: true }),
      settle: () => {
        for (const id of ids) queries.removeQueries({ queryKey: pageQuery(id).queryKey });
        return queries.invalidateQueries({ queryKey: libraryKey });
      },
    });
  };
}
