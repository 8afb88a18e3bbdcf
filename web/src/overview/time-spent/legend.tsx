import { useTranslation } from "../../i18n/translation";
import { classes } from "../../ui/classes";
import { tinted } from "../../ui/domain-colors";
import { SiteIcon } from "../../ui/site-icon";
import layout from "../../ui/styles/layout.module.css";
import { ofMinutes } from "../../ui/time/durations";
import { useFilterParams } from "../filter-params";
import type { ChartProps } from "./chart-day";
import styles from "./legend.module.css";

/** Which domain has which colour. */
export function Legend({ shares, active, hover }: Pick<ChartProps, "shares" | "active" | "hover">) {
  const { t } = useTranslation();
  // The others together may be more than any: they are no site, so they have no bar and don't set the scale.
  const most = Math.max(1, ...shares.parts.map(({ domain, ms }) => (domain === null ? 0 : ms)));
  return (
    <ul className={classes(styles["legend"], layout["figures"])}>
      {shares.parts.map(({ domain, ms, minutes }) => (
        <li
          key={domain ?? ""}
          className={classes(active !== null && active !== domain && styles["faded"])}
          {...(domain === null ? {} : tinted(domain))}
        >
          {domain === null ? (
            <span className={styles["name"]}>
              <span className={styles["others-icon"]} aria-hidden="true">
                …
              </span>
              {t("overview.time.other")}
            </span>
          ) : (
            <DomainButton domain={domain} hover={hover} />
          )}
          <span className={styles["time"]}>{ofMinutes(minutes, ms, t)}</span>
          {domain !== null && <span className={styles["bar"]} style={{ width: `${(100 * ms) / most}%` }} />}
        </li>
      ))}
    </ul>
  );
}

interface DomainButtonProps extends Partial<Pick<ChartProps, "hover">> {
  readonly domain: string;
}

/** A click lists the sessions with it. */
export function DomainButton({ domain, hover }: DomainButtonProps) {
  const { t } = useTranslation();
  const { change } = useFilterParams();
  const enter = () => {
    hover?.(domain);
  };
  const leave = () => {
    hover?.(null);
  };
  return (
    <button
      type="button"
      className={styles["name"]}
      title={t("overview.time.only", { domain })}
      onClick={() => {
        change({ domain });
      }}
      onPointerEnter={enter}
      onPointerLeave={leave}
      onFocus={enter}
      onBlur={leave}
    >
      <SiteIcon domain={domain} />
      <bdi>{domain}</bdi>
    </button>
  );
}
