/** Below a map: what made it, and where that was not a model though one could have been asked, why. */
import { useTranslation } from "../i18n/translation";
import type { Mindmap } from "./api";
import { en } from "./en";
import styles from "./mindmap.module.css";

type Reason = keyof typeof en.noModel;

/** What a reader can't do anything about is one sentence; what the built-in engine says of itself is none. */
const UNANSWERED: ReadonlySet<string> = new Set([
  "unreachable",
  "rate-limited",
  "unavailable",
  "key-refused",
  "model-unknown",
  "request-refused",
  "connection-cut",
  "timed-out",
  "unreadable",
  "refused",
  "invalid",
]);

export function MadeBy({ map }: { readonly map: Mindmap }) {
  const { t } = useTranslation();
  const { engine, model, limitation } = map.metadata;
  const reason = reasonOf(limitation);
  const isBuiltIn = engine === "builtin";
  return (
    <p className={styles["made-by"]}>
      {isBuiltIn ? t("mindmap.madeBuiltIn") : t("mindmap.madeBy", { model })}
      {reason !== null && <> ({isBuiltIn ? t(`mindmap.noModel.${reason}`) : t("mindmap.titleBuiltIn")})</>}
      {map.edits > 0 && <> · {t("mindmap.edited")}</>}
      <span className={styles["keys"]}> · {t("mindmap.keys")}</span>
    </p>
  );
}

function reasonOf(limitation: string | null): Reason | null {
  if (limitation === null) return null;
  if (Object.hasOwn(en.noModel, limitation)) return limitation as Reason;
  return UNANSWERED.has(limitation) ? "unanswered" : null;
}
