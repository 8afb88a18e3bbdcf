/**
 * Changing settings: only what the person changed is sent, because another browser may have changed the rest, and the
 * whole app goes by the server's answer.
 */
import { useState } from "react";
import { changeDomains, changeSettings, type Settings } from "../account/api";
import { useMe, useUpdateMe } from "../account/me";

interface Choices {
  /** What is known, and over it what was chosen and is not saved yet. */
  readonly shown: Settings;
  readonly choose: (change: Partial<Settings>) => void;
  readonly save: () => Promise<Settings>;
}

export function useChoices(): Choices {
  const { settings } = useMe();
  const updateMe = useUpdateMe();
  const [chosen, setChosen] = useState<Partial<Settings>>({});
  return {
    shown: { ...settings, ...chosen },
    choose: (change) => {
      setChosen((before) => ({ ...before, ...change }));
    },
    save: async () => {
      const saved = await changeSettings(chosen);
      updateMe({ settings: saved });
      setChosen((now) => (now === chosen ? {} : now)); // what was chosen meanwhile is not saved yet
      return saved;
    },
  };
}

export function useChangeDomains(): (...change: Parameters<typeof changeDomains>) => Promise<Settings> {
  const updateMe = useUpdateMe();
  return async (change) => {
    const settings = await changeDomains(change);
    updateMe({ settings });
    return settings;
  };
}
