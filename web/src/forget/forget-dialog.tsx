/** Asks before a part of one's history is forgotten, and says how much goes. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { TFunction } from "../i18n/translate";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import { explain } from "../problems/explain";
import { ConfirmDialog } from "../ui/dialog";
import { useAction } from "../ui/hooks/use-action";
import { forget, previewQuery, type Forgotten, type What } from "./api";

interface Props {
  readonly title: string;
  readonly what: What;
  readonly close: () => void;
  readonly done?: () => void;
  readonly children?: ReactNode;
}

export function ForgetDialog({ title, what, close, done, children }: Props) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const preview = useQuery(previewQuery(what));
  const action = useAction(() => forget(what), {
    done: () => {
      close();
      done?.();
      void queries.invalidateQueries({ queryKey: ["mine"] });
    },
  });
  const text =
    preview.data !== undefined
      ? textOf(preview.data, t)
      : preview.error === null
        ? t("forget.counting")
        : explain(preview.error, t).text;
  return (
    <ConfirmDialog title={title} text={text} confirm={t("forget.forget")} action={action} close={close}>
      {children}
    </ConfirmDialog>
  );
}

function textOf({ visits, sessions, highlights }: Forgotten, t: TFunction): string {
  if (visits === 0 && highlights === 0) return t("forget.none");
  const parts: string[] = [t("forget.visits", { count: visits }), t("forget.sessions", { count: sessions })];
  if (highlights > 0) parts.push(t("forget.highlights", { count: highlights }));
  return t("forget.goes", { what: parts.join(" ") });
}
