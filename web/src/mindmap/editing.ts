/** Changing a map: each change is one request, applied to the map that the person saw; the last ones can be undone. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Problem } from "@mindhit/client";
import { listKey } from "../session/api";
import { kindOf } from "../problems/explain";
import { useAction, type Action } from "../ui/hooks/use-action";
import { dropEdits, editMap, mapQuery, type Mindmap, type Operation } from "./api";

export interface Editing {
  readonly run: (ops: readonly Operation[], done?: (map: Mindmap) => void) => void;
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
  readonly drop: () => void;
  /** It had been changed elsewhere; what is shown now is the newest, without this change. */
  readonly isOvertaken: boolean;
  readonly action: Action<Request>;
}

type Way = "edit" | "undo" | "redo" | "drop";

interface Request {
  readonly way: Way;
  readonly ops: readonly Operation[];
  readonly done?: ((map: Mindmap) => void) | undefined;
}

/** The numbers of edits that one change made, last change last. */
type Changes = readonly (readonly number[])[];

export function useEditing(map: Mindmap): Editing {
  const queries = useQueryClient();
  const [history, setHistory] = useState<{ readonly undo: Changes; readonly redo: Changes }>({
    undo: [],
    redo: [],
  });
  const [isOvertaken, setOvertaken] = useState(false);
  const key = mapQuery(map.session_id).queryKey;
  const action = useAction(
    async ({ way, ops }: Request) => {
      setOvertaken(false);
      try {
        return way === "drop"
          ? await dropEdits(map.session_id)
          : await editMap(map.session_id, map.revision, ops);
      } catch (error) {
        if (!(error instanceof Problem && kindOf(error) === "map-changed")) throw error;
        setOvertaken(true);
        setHistory({ undo: [], redo: [] }); // other numbers may be there now
        await queries.invalidateQueries({ queryKey: key });
        return null;
      }
    },
    {
      done: (changed, { way, ops, done }) => {
        if (changed === null) return;
        queries.setQueryData(key, changed);
        void queries.invalidateQueries({ queryKey: listKey });
        void queries.invalidateQueries({ queryKey: ["mine", "topics"] });
        const made = ops.map((_, n) => map.edits + 1 + n);
        setHistory(({ undo, redo }) => remembered(way, made, undo, redo));
        done?.(changed);
      },
    },
  );
  const taking = (way: "undo" | "redo") => {
    const last = history[way].at(-1);
    return last === undefined
      ? null
      : () => {
          const ops = [...last].reverse().map((number) => ({ op: "undo", number }) as const);
          action.run({ way, ops });
        };
  };
  return {
    run: (ops, done) => {
      action.run({ way: "edit", ops, done });
    },
    undo: taking("undo"),
    redo: taking("redo"),
    drop: () => {
      action.run({ way: "drop", ops: [] });
    },
    isOvertaken,
    action,
  };
}

/** An undoing is an edit too: undoing that brings the change back. */
function remembered(way: Way, made: readonly number[], undo: Changes, redo: Changes) {
  if (way === "edit") return { undo: [...undo, made], redo: [] };
  if (way === "undo") return { undo: undo.slice(0, -1), redo: [...redo, made] };
  if (way === "redo") return { undo: [...undo, made], redo: redo.slice(0, -1) };
  return { undo: [], redo: [] };
}

/** The id of a node that somebody adds; never like a generated one, which begins with its type. */
export function newId(): string {
  return `own-${crypto.randomUUID()}`;
}
