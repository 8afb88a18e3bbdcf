/** Whether the server runs, asked again every few seconds. */
import "./state.css";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { aboutQuery, readinessQuery } from "../api";
import { useDates } from "../ui/dates";

export function ServerState() {
  const { t } = useTranslation();
  const dates = useDates();
  const { data: state = "asking", dataUpdatedAt } = useQuery(readinessQuery);
  const answers = state === "ready" || state === "databaseAway";
  // Asked again whenever the server comes back: it may have been upgraded meanwhile.
  const about = useQuery({ ...aboutQuery, enabled: answers });
  return (
    <section className="panel state" aria-labelledby="state-title">
      <h2 id="state-title">{t("start.state.title")}</h2>
      <div role="status" className="state-words">
        <p className="state-name">
          <span className="dot" data-state={state} aria-hidden="true" />
          {t(`start.state.${state}`)}
        </p>
        <p className="state-help">{t(`start.state.help.${state}`)}</p>
      </div>
      <dl className="facts">
        <dt>{t("start.version")}</dt>
        <dd>{about.data?.version ?? t("start.versionUnknown")}</dd>
      </dl>
      {dataUpdatedAt > 0 && (
        <p className="state-checked">
          <time dateTime={new Date(dataUpdatedAt).toISOString()}>
            {t("start.state.checked", { time: dates.clock(dataUpdatedAt) })}
          </time>
        </p>
      )}
    </section>
  );
}
