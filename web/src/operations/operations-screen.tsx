/** For the owner: what waits, what failed, what browsers send, and what the server stands on. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { useMe } from "../account/me";
import { useDates } from "../ui/time/dates";
import { Trouble, Waiting } from "../ui/notice";
import { useArrival } from "../app/screen";
import { NotFoundScreen } from "../app/not-found";
import { ServerStatus } from "../app/server-status";
import { deadQuery, healthQuery, queuesQuery } from "./api";
import { FailedJobs } from "./failed-jobs";
import { RecordingBrowsers } from "./recording-browsers";
import { troublesOf } from "./health";
import { FailingDomains } from "./failing-domains";
import { Queues } from "./queues";
import { SystemPanel } from "./system";
import { Summary } from "./summary";
import styles from "./operations.module.css";
import layout from "../ui/styles/layout.module.css";
import { classes } from "../ui/classes";

export default function OperationsScreen() {
  return useMe().role === "owner" ? <Operations /> : <NotFoundScreen />;
}

function Operations() {
  const { t } = useTranslation();
  const dates = useDates();
  const heading = useArrival(t("operations.title"));
  const health = useQuery(healthQuery);
  const queues = useQuery(queuesQuery);
  const dead = useQuery(deadQuery);
  const error = health.error ?? queues.error ?? dead.error;
  const now = health.data ? Date.parse(health.data.now) : 0;
  const known = health.data &&
    queues.data &&
    dead.data && { ...health.data, now, depths: queues.data.depths, dead: dead.data.items };
  return (
    <div className={styles["operations"]}>
      <header>
        <h1 ref={heading} tabIndex={-1}>
          {t("operations.title")}
        </h1>
        {now > 0 && (
          <p className={classes(layout["soft"], layout["figures"])}>
            {t("operations.asOf", { time: dates.clock(now) })}
          </p>
        )}
      </header>
      {error && (
        <Trouble
          error={error}
          retry={() => Promise.all([health.refetch(), queues.refetch(), dead.refetch()])}
        />
      )}
      {known && !error && <Summary troubles={troublesOf(known)} />}
      <ServerStatus />
      {health.data && queues.data && dead.data ? (
        <>
          <Queues depths={queues.data.depths} throughput={health.data.throughput} />
          <FailedJobs jobs={dead.data.items} />
          <FailingDomains failing={queues.data.failing_domains} />
          <RecordingBrowsers devices={health.data.devices} now={now} />
          <SystemPanel system={health.data.system} now={now} />
        </>
      ) : (
        !error && <Waiting />
      )}
    </div>
  );
}
