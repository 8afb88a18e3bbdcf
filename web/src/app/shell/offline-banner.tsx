/** Shown while the server can't be reached; the screen below stays as it was. */
import { useTranslation } from "../../i18n/translation";
import { retryNow, useIsOffline } from "../../api/offline";
import styles from "./offline-banner.module.css";
import { StatusDot } from "../../ui/status-dot";

export function OfflineBanner() {
  const { t } = useTranslation();
  const isOffline = useIsOffline();
  return (
    <div role="status" className={styles["area"]}>
      {isOffline && (
        <div className={styles["banner"]}>
          <StatusDot tone="bad" />
          <p>{t("app.offline.text")}</p>
          <button type="button" onClick={retryNow}>
            {t("app.offline.retry")}
          </button>
        </div>
      )}
    </div>
  );
}
