/** The first page: what this is, whether it runs, and where to go from here. */
import "./start.css";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { aboutQuery, readinessQuery } from "../api";
import { Ribbon } from "./ribbon";

export function StartPage() {
  const { t } = useTranslation();
  return (
    <div className="start">
      <section className="hero">
        <h1>MindHit</h1>
        <p className="purpose">{t("start.purpose")}</p>
      </section>
      <Ribbon />
      <ServerState />
      <NextSteps />
    </div>
  );
}

function ServerState() {
  const { t, i18n } = useTranslation();
  const { data: state = "asking", dataUpdatedAt } = useQuery(readinessQuery);
  const answers = state === "ready" || state === "databaseAway";
  // Asked again whenever the server comes back: it may have been upgraded meanwhile.
  const about = useQuery({ ...aboutQuery, enabled: answers });
  const checkedAt = new Date(dataUpdatedAt);
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
          <time dateTime={checkedAt.toISOString()}>
            {t("start.state.checked", { time: checkedAt.toLocaleTimeString(i18n.language) })}
          </time>
        </p>
      )}
    </section>
  );
}

function NextSteps() {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="next-title">
      <h2 id="next-title">{t("start.next.title")}</h2>
      <ul className="cards">
        <li className="panel card">
          <h3>
            <a href="/openapi.json">{t("start.next.api.title")}</a>
          </h3>
          <p>{t("start.next.api.text")}</p>
        </li>
        <li className="panel card">
          <h3>{t("start.next.readme.title")}</h3>
          <p>{t("start.next.readme.text")}</p>
        </li>
        <li className="panel card">
          <h3>{t("start.next.cli.title")}</h3>
          <p>{t("start.next.cli.text")}</p>
          <p>
            <code>mindhit --help</code>
          </p>
        </li>
      </ul>
    </section>
  );
}
