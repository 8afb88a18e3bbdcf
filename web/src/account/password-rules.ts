/** The rules for passwords, checked while typing. The server decides; this says it sooner and in the person's language. */
import { FEWEST_DIFFERENT, SHORTEST_PASSWORD } from "@mindhit/client";
import type { TFunction } from "../i18n/translate";

export function passwordError(
  password: string | undefined,
  email: string | undefined,
  t: TFunction,
): string | undefined {
  const letters = Array.from(password ?? "");
  if (letters.length < SHORTEST_PASSWORD)
    return t("account.checks.passwordShort", { shortest: SHORTEST_PASSWORD });
  if (new Set(letters).size < FEWEST_DIFFERENT)
    return t("account.checks.passwordMonotone", { fewest: FEWEST_DIFFERENT });
  const own = email?.trim().toLowerCase();
  if (own && [own, own.split("@")[0]].includes(password?.toLowerCase()))
    return t("account.checks.passwordIsAddress");
  return undefined;
}
