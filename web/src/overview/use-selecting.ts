/** Several sessions of the list, chosen to do the same with all of them. */
import { useState } from "react";

export interface Selecting {
  readonly isOn: boolean;
  /** In the order of the list; what is no longer in it is no longer selected. */
  readonly ids: readonly string[];
  readonly has: (id: string) => boolean;
  /** `isRange`: everything from the last one chosen. */
  readonly toggle: (id: string, isRange?: boolean) => void;
  readonly all: () => void;
  readonly start: () => void;
  readonly stop: () => void;
}

export function useSelecting(listed: readonly string[]): Selecting {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const ids = listed.filter((id) => chosen?.has(id));
  const start = () => {
    setChosen((before) => before ?? new Set());
  };
  return {
    isOn: chosen !== null,
    ids,
    has: (id) => chosen?.has(id) === true,
    toggle: (id, isRange = false) => {
      const next = new Set(ids);
      const isSelected = !next.has(id);
      for (const each of isRange ? between(listed, last, id) : [id])
        if (isSelected) next.add(each);
        else next.delete(each);
      setChosen(next);
      setLast(id);
    },
    all: () => {
      setChosen(new Set(ids.length === listed.length ? [] : listed));
    },
    start,
    stop: () => {
      setChosen(null);
      setLast(null);
    },
  };
}

function between(listed: readonly string[], one: string | null, other: string): readonly string[] {
  const [from, to] = [listed.indexOf(one ?? other), listed.indexOf(other)].sort((a, b) => a - b);
  return from === undefined || from < 0 || to === undefined ? [other] : listed.slice(from, to + 1);
}
