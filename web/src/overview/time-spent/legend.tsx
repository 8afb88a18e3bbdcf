import { useTranslation } from "react-i18next";
import { classes } from "../../ui/classes";
import { tinted } from "../../ui/domain-colors";
import { SiteIcon } from "../../ui/site-icon";
import layout from "../../ui/styles/layout.module.css";
import { inHours } from "../../ui/time/durations";
import { useFilterParams } from "../filter-params";
import type { ChartProps } from "./chart-day";
import styles from "./legend.module.css";

/** Which domain has which colour; a click lists the sessions with it. */
export function Legend({
  shares,
  hues,
  active,
  hover,
}: Pick<ChartProps, "shares" | "hues" | "active" | "hover">) {
  const { t } = useTranslation();
  const most = Math.max(1, ...shares.parts.map(({ ms }) => ms)); // the others together may be more than any
  return (
    <ul className={classes(styles["legend"], layout["figures"])}>
      {shares.parts.map(({ domain, ms }) => (
        <li
          key={domain ?? ""}
          className={classes(
            domain === null && styles["others"],
            active !== null && active !== domain && styles["faded"],
          )}
          {...(domain === null ? {} : tinted(hues.get(domain) ?? 0))}
        >
          {domain === null ? (
            <span className={styles["name"]}>
              <span className={styles["others-icon"]} aria-hidden="true">
                …
              </span>
              {t("overview.time.other")}
            </span>
          ) : (
            <DomainButton domain={domain} hue={hues.get(domain)} hover={hover} />
          )}
          <span className={styles["time"]}>{inHours(ms, t)}</span>
          <span className={styles["bar"]} style={{ width: `${(100 * ms) / most}%` }} />
        </li>
      ))}
    </ul>
  );
}

interface DomainButtonProps extends Pick<ChartProps, "hover"> {
  readonly domain: string;
  readonly hue: number | undefined;
}

function DomainButton({ domain, hue, hover }: DomainButtonProps) {
  const { t } = useTranslation();
  const { change } = useFilterParams();
  const enter = () => {
    hover(domain);
  };
  const leave = () => {
    hover(null);
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
      <SiteIcon domain={domain} hue={hue} />
      <bdi>{domain}</bdi>
    </button>
  );
}
