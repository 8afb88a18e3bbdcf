/** The rules for passwords, checked while typing. The server decides; this says it sooner and in the person's language. */
import type { TFunction } from "i18next";

export const SHORTEST_PASSWORD = 10;

export function passwordError(
  password: string | undefined,
  email: string | undefined,
  t: TFunction,
): string | undefined {
  const letters = Array.from(password ?? "");
  if (letters.length < SHORTEST_PASSWORD)
    return t("account.checks.passwordShort", { shortest: SHORTEST_PASSWORD });
  if (new Set(letters).size < 4) return t("account.checks.passwordMonotone");
  const own = email?.trim().toLowerCase();
  if (own && [own, own.split("@")[0]].includes(password?.toLowerCase()))
    return t("account.checks.passwordIsAddress");
  return undefined;
}
