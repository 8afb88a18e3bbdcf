import { useTranslation } from "../../i18n/translation";
import layout from "../../ui/styles/layout.module.css";
import tables from "../../ui/styles/table.module.css";
import { useDayName } from "../../ui/time/dates";
import { ofMinutes } from "../../ui/time/durations";
import type { Shares } from "./chart-data";
import styles from "./time-spent.module.css";

interface Props {
  readonly shares: Shares;
  readonly choose: (date: string) => void;
}

/** The chart in words, for screen readers and the keyboard. */
export function TimeTable({ shares, choose }: Props) {
  const { t } = useTranslation();
  const dayName = useDayName();
  return (
    <details>
      <summary>{t("overview.time.table")}</summary>
      <div className={tables["scroller"]} tabIndex={0} role="region" aria-label={t("overview.time.table")}>
        <table className={layout["figures"]}>
          <thead>
            <tr>
              <th scope="col">{t("overview.time.day")}</th>
              <th scope="col">{t("overview.time.all")}</th>
              {shares.parts.map(({ domain }) => (
                <th key={domain ?? ""} scope="col">
                  <bdi>{domain ?? t("overview.time.other")}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shares.days
              .filter(({ total }) => total > 0)
              .map(({ date, total, minutes, parts }) => (
                <tr key={date}>
                  <th scope="row">
                    <button
                      type="button"
                      className={styles["day-name"]}
                      title={t("overview.time.onlyDay", { day: dayName(date) })}
                      onClick={() => {
                        choose(date);
                      }}
                    >
                      {dayName(date)}
                    </button>
                  </th>
                  <td>{ofMinutes(minutes, total, t)}</td>
                  {shares.parts.map(({ domain }) => {
                    const part = parts.find((each) => each.domain === domain);
                    return (
                      <td key={domain ?? ""}>
                        {part === undefined ? "–" : ofMinutes(part.minutes, part.ms, t)}
                      </td>
                    );
                  })}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
