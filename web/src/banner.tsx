/** Says that the server is away, for as long as it is; the screen below stays as it was. */
import { useTranslation } from "react-i18next";
import { askNow, useIsAway } from "./presence";

export function Banner() {
  const { t } = useTranslation();
  const isAway = useIsAway();
  return (
    <div role="status" className="banner-place">
      {isAway && (
        <div className="banner">
          <span className="dot" data-state="serverAway" aria-hidden="true" />
          <p>{t("presence.away")}</p>
          <button type="button" onClick={askNow}>
            {t("presence.ask")}
          </button>
        </div>
      )}
    </div>
  );
}
