/** What a password has to be here; the server decides, this says it sooner and in the person's language. */
import type { TFunction } from "i18next";

export const SHORTEST_PASSWORD = 10;

export function passwordWrong(
  password: string | undefined,
  email: string | undefined,
  t: TFunction,
): string | undefined {
  const letters = Array.from(password ?? "");
  if (letters.length < SHORTEST_PASSWORD) return t("checks.passwordShort", { shortest: SHORTEST_PASSWORD });
  if (new Set(letters).size < 4) return t("checks.passwordMonotone");
  const own = email?.trim().toLowerCase();
  if (own && [own, own.split("@")[0]].includes(password?.toLowerCase())) return t("checks.passwordIsAddress");
  return undefined;
}

/** Loose on purpose, as the server is: a mail that arrives is the only proof. */
export function emailWrong(email: string | undefined, t: TFunction): string | undefined {
  return /^[^\s@]+@[^\s@]+$/.test(email?.trim() ?? "") ? undefined : t("checks.email");
}

export function missing(value: string | undefined, t: TFunction): string | undefined {
  return value?.trim() ? undefined : t("checks.missing");
}
