/** What was deleted a moment ago, with the way to have it back. */
import { useEffect } from "react";
import { useTranslation } from "../i18n/translation";
import { explain } from "../problems/explain";
import { Button } from "./button";
import { hold, release, sendAll, undo, usePending, type Pending } from "./deletions";
import styles from "./undo-bar.module.css";

export function UndoBar() {
  const pending = usePending().filter(({ state }) => state !== "sent");
  useEffect(() => {
    const leave = () => {
      void sendAll();
    };
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
    };
  }, []);
  return (
    <div className={styles["area"]} role="status">
      {pending.map((deletion) => (
        <Bar key={deletion.id} deletion={deletion} />
      ))}
    </div>
  );
}

function Bar({ deletion }: { readonly deletion: Pending }) {
  const { t } = useTranslation();
  const { id, text, state, error } = deletion;
  const pause = () => {
    hold(id);
  };
  const goOn = () => {
    release(id);
  };
  const hasFailed = state === "failed";
  return (
    <div
      className={styles["bar"]}
      data-tone={hasFailed ? "bad" : undefined}
      onPointerEnter={pause}
      onPointerLeave={goOn}
      onFocus={pause}
      onBlur={goOn}
    >
      <p>{hasFailed ? t("ui.undo.failed", { reason: explain(error, t).text }) : text}</p>
      <Button
        onClick={() => {
          undo(id);
        }}
      >
        {hasFailed ? t("ui.close") : t("ui.undo.undo")}
      </Button>
    </div>
  );
}
