import type { TFunction } from "../i18n/translate";
import { useTranslation } from "../i18n/translation";
import { inWords } from "../ui/time/durations";
import type { Depth, Throughput as QueueThroughput } from "./api";
import { isLate } from "./health";
import layout from "../ui/styles/layout.module.css";
import tables from "../ui/styles/table.module.css";
import styles from "./operations.module.css";
import { classes } from "../ui/classes";

interface Row {
  readonly queue: string;
  readonly ready: number;
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  readonly oldestS: number | null;
  readonly done: readonly number[];
  readonly failed: number;
}

const NONE: readonly number[] = Array.from({ length: 12 }, () => 0);

/** The lanes of a queue together; an empty queue that did something is listed, too. */
export function rowsOf(depths: readonly Depth[], throughput: readonly QueueThroughput[]): readonly Row[] {
  const names = [...new Set([...depths, ...throughput].map(({ queue }) => queue))].sort();
  return names.map((queue) => {
    const lanes = depths.filter((depth) => depth.queue === queue);
    const sum = (of: "ready" | "waiting" | "running" | "dead") =>
      lanes.reduce((all, lane) => all + lane[of], 0);
    const ages = lanes.flatMap(({ oldest_ready_s }) => (oldest_ready_s === null ? [] : [oldest_ready_s]));
    const through = throughput.find((each) => each.queue === queue);
    return {
      queue,
      ready: sum("ready"),
      waiting: sum("waiting"),
      running: sum("running"),
      dead: sum("dead"),
      oldestS: ages.length === 0 ? null : Math.max(...ages),
      done: through?.succeeded ?? NONE,
      failed: through?.dead.reduce((all, each) => all + each, 0) ?? 0,
    };
  });
}

interface QueuesProps {
  readonly depths: readonly Depth[];
  readonly throughput: readonly QueueThroughput[];
}

/** After the queue's own name; on a phone each stands before its figure (operations.module.css). */
const COLUMNS = ["ready", "waiting", "running", "dead", "oldest", "done"] as const;

export function Queues({ depths, throughput }: QueuesProps) {
  const { t } = useTranslation();
  const rows = rowsOf(depths, throughput);
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="queues-title">
      <h2 id="queues-title">{t("operations.queues.title")}</h2>
      <p className={layout["soft"]}>{t("operations.queues.text")}</p>
      {rows.length === 0 ? (
        <p className={layout["empty"]}>{t("operations.queues.none")}</p>
      ) : (
        <div className={tables["scroller"]} tabIndex={0} role="region" aria-labelledby="queues-title">
          <table className={layout["figures"]}>
            <thead>
              <tr>
                {["queue" as const, ...COLUMNS].map((name) => (
                  <th key={name} scope="col">
                    {t(`operations.queues.columns.${name}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.queue}>
                  <th scope="row">{row.queue}</th>
                  {COLUMNS.map((name) => (
                    <td
                      key={name}
                      data-name={t(`operations.queues.columns.${name}`)}
                      data-tone={toneOf(row, name)}
                    >
                      {name === "done" ? (
                        <Throughput row={row} />
                      ) : name === "oldest" ? (
                        oldestOf(row, t)
                      ) : (
                        row[name]
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function toneOf({ dead, oldestS }: Row, name: (typeof COLUMNS)[number]): "bad" | "warn" | undefined {
  if (name === "dead" && dead > 0) return "bad";
  return name === "oldest" && isLate(oldestS) ? "warn" : undefined;
}

function oldestOf({ oldestS }: Row, t: TFunction): string {
  return oldestS === null ? "–" : inWords(oldestS * 1_000, t);
}

const WIDTH = 120;
const HEIGHT = 28;

function Throughput({ row }: { readonly row: Row }) {
  const { t } = useTranslation();
  const count = row.done.reduce((all, each) => all + each, 0);
  const most = Math.max(...row.done, 1);
  const step = WIDTH / row.done.length;
  return (
    <span className={styles["throughput"]}>
      <svg
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={t("operations.queues.chart", { queue: row.queue, count })}
      >
        {row.done.map((each, index) => {
          const height = Math.max((each / most) * (HEIGHT - 2), each > 0 ? 2 : 1);
          return (
            <rect
              key={index}
              className={styles[each > 0 ? "spark" : "spark-none"]}
              x={index * step + 1}
              y={HEIGHT - height}
              width={step - 2}
              height={height}
              rx={1}
            />
          );
        })}
      </svg>
      <span>
        {t("operations.queues.perHour", { count })}
        {row.failed > 0 && <> · {t("operations.queues.failed", { count: row.failed })}</>}
      </span>
    </span>
  );
}
