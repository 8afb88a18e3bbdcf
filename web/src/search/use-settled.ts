import { useEffect, useState } from "react";

const TYPING_PAUSE_MS = 120;

/** What was typed, once nothing more was for a moment. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(typed);
    }, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [typed]);
  return settled;
}
