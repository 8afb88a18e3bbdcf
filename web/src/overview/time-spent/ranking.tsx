/** What the time was about: the topics of all maps, or the sites, in the range that the chart shows. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../i18n/translation";
import { useMe } from "../../account/me";
import { rankedQuery } from "../../session/api";
import { tinted } from "../../ui/domain-colors";
import layout from "../../ui/styles/layout.module.css";
import { addDays, midnightOf } from "../../ui/time/calendar";
import { classes } from "../../ui/classes";
import { inHours } from "../../ui/time/durations";
import { DomainButton } from "./legend";
import styles from "./legend.module.css";

const SHOWN = 8;

interface Props {
  readonly by: "topic" | "domain";
  readonly first: string;
  readonly last: string;
}

export function Ranking({ by, first, last }: Props) {
  const { t } = useTranslation();
  const { settings } = useMe();
  const from = midnightOf(first, settings.timezone);
  const to = midnightOf(addDays(last, 1), settings.timezone);
  const { data } = useQuery(rankedQuery(by, from, to, SHOWN));
  if (data?.by !== by) return null;
  const { ranked } = data;
  if (by === "topic" && ranked.length === 0)
    return <p className={layout["soft"]}>{t("overview.time.noTopics")}</p>;
  const most = Math.max(1, ...ranked.map(({ focused_ms }) => focused_ms));
  return (
    <ul className={classes(styles["legend"], layout["figures"])}>
      {ranked.map(({ name, focused_ms, pages }) => (
        <li key={name} {...(by === "domain" && tinted(name))}>
          {by === "topic" ? <bdi className={styles["topic"]}>{name}</bdi> : <DomainButton domain={name} />}
          <span className={styles["time"]} title={t("overview.list.pages", { count: pages })}>
            {inHours(focused_ms, t)}
          </span>
          <span className={styles["bar"]} style={{ width: `${(100 * focused_ms) / most}%` }} />
        </li>
      ))}
    </ul>
  );
}
