import type { TFunction } from "../i18n/translate";

/** The server's word for a browser that does not say what it is; every other name is a name. */
const UNKNOWN = "Unknown device";

export function deviceName(name: string, t: TFunction): string {
  return name === UNKNOWN ? t("account.unknownDevice") : name;
}
