/** What the time was about: the topics of all maps in the range that the chart shows. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useMe } from "../../account/me";
import { topicsQuery } from "../../session/api";
import layout from "../../ui/styles/layout.module.css";
import { addDays, midnightOf } from "../../ui/time/calendar";
import { classes } from "../../ui/classes";
import { inHours } from "../../ui/time/durations";
import styles from "./topics.module.css";

const SHOWN = 8;

interface Props {
  readonly first: string;
  readonly last: string;
}

export function Topics({ first, last }: Props) {
  const { t } = useTranslation();
  const { settings } = useMe();
  const from = midnightOf(first, settings.timezone);
  const to = midnightOf(addDays(last, 1), settings.timezone);
  const { data } = useQuery(topicsQuery(from, to, SHOWN));
  if (!data) return null;
  if (data.length === 0) return <p className={layout["soft"]}>{t("overview.time.noTopics")}</p>;
  const most = Math.max(1, ...data.map(({ focused_ms }) => focused_ms));
  return (
    <ul className={classes(styles["list"], layout["figures"])}>
      {data.map(({ topic, focused_ms, pages }) => (
        <li key={topic}>
          <bdi>{topic}</bdi>
          <span title={t("overview.list.pages", { count: pages })}>{inHours(focused_ms, t)}</span>
          <span className={styles["bar"]} style={{ width: `${(100 * focused_ms) / most}%` }} />
        </li>
      ))}
    </ul>
  );
}
