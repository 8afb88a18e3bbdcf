import { useQueryClient } from "@tanstack/react-query";
import { useAction, type Action } from "../ui/hooks/use-action";
import { changeSchedule, runSchedule, shopsKey, type Schedule } from "./api";

/** Run a watched page now; pause or resume it. */
export function useScheduleActions({ id, status }: Schedule): { run: Action<void>; turn: Action<void> } {
  const queries = useQueryClient();
  const done = () => {
    void queries.invalidateQueries({ queryKey: shopsKey });
  };
  const run = useAction(() => runSchedule(id), { done });
  const turn = useAction(() => changeSchedule(id, { status: status === "ACTIVE" ? "INACTIVE" : "ACTIVE" }), {
    done,
  });
  return { run, turn };
}
