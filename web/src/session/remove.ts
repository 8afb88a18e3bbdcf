import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { orGone, removeLater } from "../ui/deletions";
import { detailQuery, remove } from "./api";

/** Deletes sessions, unless that is undone in time. */
export function useRemoveSessions(): (ids: readonly string[]) => void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (ids) => {
    removeLater({
      text: t("session.deleted", { count: ids.length }),
      hides: ids,
      send: () => Promise.all(ids.map((id) => orGone(remove(id)))),
      settle: () => {
        for (const id of ids) queries.removeQueries({ queryKey: detailQuery(id).queryKey });
        return queries.invalidateQueries({ queryKey: ["mine"] });
      },
    });
  };
}
