import "../../sessions/sessions.css";
import "./first-steps.css";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { devicesQuery, useMe } from "../../account/me";
import { Link } from "../../router";
import { newestQuery } from "../../sessions/api";
import { Demo } from "../../sessions/demo";
import { isGoingOn } from "../../sessions/live";
import { StateBadge } from "../../sessions/state-badge";
import { CopyField } from "../../ui/copy";
import { Icon } from "../../ui/icons";

const LOOK_MS = 2_000;
const FOLDER = "extension/.output/chrome-mv3";

export function FirstSteps() {
  const { t } = useTranslation();
  const me = useMe();
  const devices = useQuery({ ...devicesQuery, refetchInterval: LOOK_MS });
  const newest = useQuery({ ...newestQuery, refetchInterval: LOOK_MS });
  const extension = devices.data?.items.find((device) => device.kind === "extension");
  // What was loaded at a click was not recorded here.
  const recorded = newest.data?.sessions.find((session) => session.device_id !== null);
  const isConnected = extension !== undefined;
  const current = recorded ? 4 : isConnected ? 3 : 1;
  return (
    <>
      <p className="lead">{t("firstSteps.lead")}</p>
      <p className="sr-only" role="status">
        {recorded
          ? t(isGoingOn(recorded) ? "firstSteps.record.going" : "firstSteps.record.done")
          : extension && t("firstSteps.connect.done", { name: extension.name })}
      </p>
      <ol className="steps">
        <Step title={t("firstSteps.owner.title")} isDone>
          <p>{t("firstSteps.owner.text", { email: me.email })}</p>
        </Step>
        <Step title={t("firstSteps.load.title")} isDone={isConnected} isCurrent={current === 1}>
          <p>{t("firstSteps.load.text")}</p>
          {!isConnected && <CopyField label={t("firstSteps.load.folder")} value={FOLDER} />}
        </Step>
        <Step title={t("firstSteps.connect.title")} isDone={isConnected}>
          {extension ? (
            <p>{t("firstSteps.connect.done", { name: extension.name })}</p>
          ) : (
            <>
              <p>{t("firstSteps.connect.text")}</p>
              <CopyField label={t("firstSteps.connect.address")} value={location.origin} />
              <p>
                <Link to="/connect">{t("firstSteps.connect.code")}</Link>
              </p>
            </>
          )}
        </Step>
        <Step title={t("firstSteps.record.title")} isDone={recorded !== undefined} isCurrent={current === 3}>
          {recorded ? (
            <p className="step-recorded">
              {isGoingOn(recorded) ? t("firstSteps.record.going") : t("firstSteps.record.done")}
              <StateBadge session={recorded} />
              <Link className="button main" to={`/sessions/${recorded.id}`}>
                {t("firstSteps.record.open")}
              </Link>
            </p>
          ) : (
            <>
              <p>{t("firstSteps.record.text")}</p>
              {isConnected && <p className="step-waiting">{t("firstSteps.record.watching")}</p>}
            </>
          )}
        </Step>
      </ol>
      <Demo title={t("firstSteps.demoTitle")} />
      <ForYou />
    </>
  );
}

interface StepProps {
  readonly title: string;
  readonly isDone: boolean;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

function Step({ title, isDone, isCurrent = false, children }: StepProps) {
  const { t } = useTranslation();
  return (
    <li className="panel step" data-done={isDone} aria-current={isCurrent ? "step" : undefined}>
      <span className="step-mark" aria-hidden="true">
        {isDone && <Icon name="check" />}
      </span>
      <div className="stack step-words">
        <h2>
          {title}
          {isDone && <span className="badge">{t("overview.done")}</span>}
        </h2>
        {children}
      </div>
    </li>
  );
}

function ForYou() {
  const { t } = useTranslation();
  const { settings, verified } = useMe();
  const more = [
    { name: "exclude", to: "/settings/privacy", isDone: settings.excluded_domains.length > 0 },
    { name: "verify", to: "/settings/security", isDone: verified },
  ] as const;
  const left = more.filter(({ isDone }) => !isDone);
  if (left.length === 0) return null;
  return (
    <section aria-labelledby="more-title">
      <h2 id="more-title">{t("overview.next")}</h2>
      <ul className="cards">
        {left.map(({ name, to }) => (
          <li key={name} className="panel card">
            <h3>
              <Link to={to}>{t(`overview.steps.${name}.title`)}</Link>
            </h3>
            <p>{t(`overview.steps.${name}.text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
