/** Back from paying: the plan changes when the payment provider has confirmed it, mostly within seconds. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { useLocation } from "../app/router";
import { Notice } from "../ui/notice";
import { invoicesQuery, stateQuery } from "./api";

const ASK_AGAIN_MS = 3_000;
const PATIENCE_MS = 60_000;

/** The person's plan; where they have just paid, asked for again until there is a subscription. */
export function useBilling() {
  const { search } = useLocation();
  const queries = useQueryClient();
  const hasPaid = search.get("checkout") === "done";
  const [isPatient, setPatient] = useState(hasPaid);
  const state = useQuery({
    ...stateQuery,
    refetchInterval: (query) => isPatient && query.state.data?.status === null && ASK_AGAIN_MS,
  });
  const isPaid = state.data !== undefined && state.data.status !== null;
  useEffect(() => {
    if (!hasPaid) return undefined;
    const timer = setTimeout(() => {
      setPatient(false);
    }, PATIENCE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [hasPaid]);
  useEffect(() => {
    if (hasPaid && isPaid) void queries.invalidateQueries({ queryKey: invoicesQuery.queryKey });
  }, [queries, hasPaid, isPaid]);
  return { ...state, payment: !hasPaid ? null : isPaid ? "done" : isPatient ? "waiting" : "late" } as const;
}

export function Payment({ state }: { readonly state: "done" | "waiting" | "late" }) {
  const { t } = useTranslation();
  return <Notice tone={state === "done" ? "good" : "note"}>{t(`billing.payment.${state}`)}</Notice>;
}
