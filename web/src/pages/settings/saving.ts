/** Changing settings: sent as they are changed, and the whole app goes by the server's answer. */
import { changeSettings, type Settings } from "../../account/api";
import { useUpdateMe } from "../../account/me";

export function useSaveSettings(): (change: Partial<Settings>) => Promise<Settings> {
  const updateMe = useUpdateMe();
  return async (change) => {
    const settings = await changeSettings(change);
    updateMe({ settings });
    return settings;
  };
}
