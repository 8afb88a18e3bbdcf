/** For people who are signed in: what to do next. */
import "./overview.css";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { devicesQuery, useMe } from "../account/me";
import { Link, useFlash } from "../router";
import { Icon } from "../ui/icons";
import { Notice, Trouble } from "../ui/notice";
import { useArrival } from "../ui/screen";
import { ServerState } from "./state";

export function OverviewPage() {
  const { t } = useTranslation();
  const me = useMe();
  const flash = useFlash();
  const heading = useArrival(t("overview.title"));
  return (
    <div className="overview">
      <h1 ref={heading} tabIndex={-1}>
        {t("overview.title")}
      </h1>
      {flash === "welcome" && <Notice tone="good">{t("overview.welcome")}</Notice>}
      <NextSteps />
      {me.role === "owner" && (
        <>
          <ServerState />
          <ForBuilders />
        </>
      )}
    </div>
  );
}

function NextSteps() {
  const { t } = useTranslation();
  const { settings, verified } = useMe();
  const devices = useQuery(devicesQuery);
  const steps = [
    {
      name: "connect",
      to: "/connect",
      isDone: devices.data?.items.some((device) => device.kind === "extension") ?? false,
    },
    { name: "exclude", to: "/settings/privacy", isDone: settings.excluded_domains.length > 0 },
    { name: "verify", to: "/settings/security", isDone: verified },
  ] as const;
  return (
    <section aria-labelledby="steps-title">
      <h2 id="steps-title">{t("overview.next")}</h2>
      {devices.error && <Trouble error={devices.error} retry={devices.refetch} />}
      <ol className="steps">
        {steps.map(({ name, to, isDone }) => (
          <li key={name} className="panel step" data-done={isDone}>
            <span className="step-mark" aria-hidden="true">
              {isDone && <Icon name="check" />}
            </span>
            <div>
              <h3>
                <Link to={to}>{t(`overview.steps.${name}.title`)}</Link>
                {isDone && <span className="badge">{t("overview.done")}</span>}
              </h3>
              <p>{t(`overview.steps.${name}.text`)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function ForBuilders() {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="builders-title">
      <h2 id="builders-title">{t("overview.builders")}</h2>
      <ul className="cards">
        <li className="panel card">
          <h3>
            <a href="/openapi.json">{t("overview.api.title")}</a>
          </h3>
          <p>{t("overview.api.text")}</p>
        </li>
        <li className="panel card">
          <h3>{t("overview.readme.title")}</h3>
          <p>{t("overview.readme.text")}</p>
        </li>
        <li className="panel card">
          <h3>{t("overview.cli.title")}</h3>
          <p>{t("overview.cli.text")}</p>
          <p>
            <code>mindhit --help</code>
          </p>
        </li>
      </ul>
    </section>
  );
}
