/** Why something didn't arrive, in the person's language. */
import type { TFunction } from "../i18n/translate";
import type { DeliveryReason } from "./api";

/** A reason without a code is shown as the server said it. */
export function reasonText(reason: DeliveryReason | null, said: string | null, t: TFunction): string {
  if (reason === null) return said ?? "";
  const { code, service, status, detail } = reason;
  return t(`reminders.reasons.${code}`, {
    service: service === null ? "" : t(`reminders.services.${service}`),
    status: status ?? "",
    detail: detail ?? "",
  });
}
