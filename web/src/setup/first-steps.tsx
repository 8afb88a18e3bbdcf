import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import { devicesQuery, useMe } from "../account/me";
import { Link } from "../app/router";
import { newestQuery } from "../session/api";
import { DemoSessions } from "./demo-sessions";
import { InstallExtension } from "./install/install-extension";
import { isOngoing } from "../session/live";
import { StatusBadge } from "../session/status-badge";
import { CopyField } from "../ui/forms/copy-field";
import { Icon } from "../ui/icons";
import layout from "../ui/styles/layout.module.css";
import styles from "./first-steps.module.css";
import { Badge } from "../ui/badge";
import { classes } from "../ui/classes";
import { buttonClass } from "../ui/button";

const POLL_MS = 2_000;

export function FirstSteps() {
  const { t } = useTranslation();
  const me = useMe();
  const devices = useQuery({ ...devicesQuery, refetchInterval: POLL_MS });
  const newest = useQuery({ ...newestQuery, refetchInterval: POLL_MS });
  const extension = devices.data?.items.find((device) => device.kind === "extension");
  // What was loaded at a click was not recorded here.
  const recorded = newest.data?.sessions.find((session) => session.device_id !== null);
  const isConnected = extension !== undefined;
  const current = recorded ? 4 : isConnected ? 3 : 1;
  return (
    <>
      <p className={layout["soft"]}>{t("setup.lead")}</p>
      <p className={layout["sr-only"]} role="status">
        {recorded
          ? t(isOngoing(recorded) ? "setup.record.going" : "setup.record.done")
          : extension && t("setup.connectStep.done", { name: extension.name })}
      </p>
      <ol className={styles["steps"]}>
        <Step title={t("setup.account.title")} isDone>
          <p>{t("setup.account.text", { email: me.email })}</p>
        </Step>
        <Step title={t("setup.load.title")} isDone={isConnected} isCurrent={current === 1}>
          {!isConnected && <InstallExtension />}
        </Step>
        <Step title={t("setup.connectStep.title")} isDone={isConnected}>
          {extension ? (
            <p>{t("setup.connectStep.done", { name: extension.name })}</p>
          ) : (
            <>
              <p>{t("setup.connectStep.text")}</p>
              <CopyField label={t("setup.connectStep.address")} value={location.origin} />
              <p>
                <Link to="/connect">{t("setup.connectStep.code")}</Link>
              </p>
            </>
          )}
        </Step>
        <Step title={t("setup.record.title")} isDone={recorded !== undefined} isCurrent={current === 3}>
          {recorded ? (
            <p className={styles["step-recorded"]}>
              {isOngoing(recorded) ? t("setup.record.going") : t("setup.record.done")}
              <StatusBadge session={recorded} />
              <Link className={buttonClass("main")} to={`/sessions/${recorded.id}`}>
                {t("setup.record.open")}
              </Link>
            </p>
          ) : (
            <>
              <p>{t("setup.record.text")}</p>
              {isConnected && <p className={styles["step-waiting"]}>{t("setup.record.watching")}</p>}
            </>
          )}
        </Step>
      </ol>
      <DemoSessions title={t("setup.demo.firstStepsTitle")} />
      <NextSteps />
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
    <li
      className={classes(layout["panel"], styles["step"])}
      data-done={isDone}
      aria-current={isCurrent ? "step" : undefined}
    >
      <span className={styles["step-mark"]} aria-hidden="true">
        {isDone && <Icon name="check" />}
      </span>
      <div className={classes(layout["stack"], styles["step-words"])}>
        <h2>
          {title}
          {isDone && <Badge>{t("setup.done")}</Badge>}
        </h2>
        {children}
      </div>
    </li>
  );
}

function NextSteps() {
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
      <h2 id="more-title" className={styles["more-title"]}>
        {t("setup.more.title")}
      </h2>
      <ul className={styles["cards"]}>
        {left.map(({ name, to }) => (
          <li key={name} className={classes(layout["panel"], styles["card"])}>
            <h3>
              <Link to={to}>{t(`setup.more.${name}.title`)}</Link>
            </h3>
            <p>{t(`setup.more.${name}.text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
