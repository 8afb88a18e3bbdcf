/** For the owner: what waits, what failed, what browsers send, and what the server stands on. */
import "../../sessions/sessions.css";
import "./operations.css";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useMe } from "../../account/me";
import { useDates } from "../../ui/dates";
import { Trouble, Waiting } from "../../ui/notice";
import { useArrival } from "../../ui/screen";
import { LostPage } from "../lost";
import { ServerState } from "../state";
import { deadQuery, healthQuery, queuesQuery } from "./api";
import { DeadJobs } from "./dead";
import { Devices } from "./devices";
import { troublesOf } from "./health";
import { Domains, Queues } from "./queues";
import { SystemPanel } from "./system";
import { Verdict } from "./verdict";

export default function OperationsPage() {
  return useMe().role === "owner" ? <Operations /> : <LostPage />;
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
    <div className="operations">
      <header>
        <h1 ref={heading} tabIndex={-1}>
          {t("operations.title")}
        </h1>
        {now > 0 && <p className="soft figures">{t("operations.asOf", { time: dates.clock(now) })}</p>}
      </header>
      {error && (
        <Trouble
          error={error}
          retry={() => Promise.all([health.refetch(), queues.refetch(), dead.refetch()])}
        />
      )}
      {known && !error && <Verdict troubles={troublesOf(known)} />}
      <ServerState />
      {health.data && queues.data && dead.data ? (
        <>
          <Queues depths={queues.data.depths} throughput={health.data.throughput} />
          <DeadJobs jobs={dead.data.items} />
          <Domains failing={queues.data.failing_domains} />
          <Devices devices={health.data.devices} now={now} />
          <SystemPanel system={health.data.system} now={now} />
        </>
      ) : (
        !error && <Waiting />
      )}
    </div>
  );
}
