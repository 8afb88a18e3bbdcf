/** After signing in again, notifications in this browser go on. */
import { useEffect } from "react";
import type { Me } from "../account/api";
import { recall } from "../ui/local-storage";

/** Who is subscribed in this browser, and the sign-in that the server knows of. */
export const SUBSCRIBED = "mindhit.push.subscribed";

export function subscribedAs({ id, device }: Me): string {
  return `${id} ${device.id}`;
}

/** The subscription here is of somebody else who used this browser. */
export function isOfAnother({ id }: Me): boolean {
  const known = recall(SUBSCRIBED);
  return known !== null && !known.startsWith(`${id} `);
}

export function useRenewedPush(me: Me): void {
  const known = recall(SUBSCRIBED);
  const isKnown = known === null || known === subscribedAs(me) || isOfAnother(me);
  useEffect(() => {
    if (!isKnown) void import("./push").then(({ renewPush }) => renewPush(me)).catch(() => undefined);
  }, [me, isKnown]);
}
