/** "How did I get here": the pages of a session as a tree of which was opened from which. */
import { useMemo, type CSSProperties } from "react";
import { useTranslation } from "../i18n/translation";
import type { Visit } from "./api";
import { safeHref, shortUrl } from "../ui/addresses";
import { trailsOf, type Trail } from "./trail";
import { SiteIcon } from "../ui/site-icon";
import { inWords } from "../ui/time/durations";
import layout from "../ui/styles/layout.module.css";
import styles from "./trail-list.module.css";

const MOST_LETTERS = 300;
/** Deeper ones stand below each other: there is no room to go further to the right. */
const DEEPEST = 12;

interface Props {
  readonly visits: readonly Visit[];
  readonly hover: (visit: string | null) => void;
}

export function TrailList({ visits, hover }: Props) {
  const { t } = useTranslation();
  const rows = useMemo(() => rowsOf(trailsOf(visits)), [visits]);
  return (
    <>
      <p className={layout["soft"]}>{t("session.timeline.trailText")}</p>
      <ol className={styles["trail"]}>
        {rows.map(({ trail, depth }) => (
          <li
            key={trail.page.urlId}
            style={{ "--depth": Math.min(depth, DEEPEST) } as CSSProperties}
            data-depth={depth}
            onPointerEnter={() => {
              hover(trail.page.firstVisit);
            }}
            onPointerLeave={() => {
              hover(null);
            }}
          >
            <SiteIcon domain={trail.page.domain} favicon={trail.page.favicon} />
            <span className={styles["words"]}>
              {depth > 0 && (
                <span className={layout["sr-only"]}>
                  {t("session.timeline.trailLevel", { level: depth })}{" "}
                </span>
              )}
              <a href={safeHref(trail.page.url)} target="_blank" rel="noreferrer noopener">
                <bdi>{(trail.page.title ?? "").slice(0, MOST_LETTERS) || shortUrl(trail.page.url)}</bdi>
              </a>
            </span>
            <span className={styles["time"]}>{inWords(trail.page.ms, t)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

interface Row {
  readonly trail: Trail;
  readonly depth: number;
}

/** One below the other, without recursion: a chain of links may be thousands long. */
function rowsOf(beginnings: readonly Trail[]): readonly Row[] {
  const rows: Row[] = [];
  const left: Row[] = beginnings.map((trail) => ({ trail, depth: 0 })).reverse();
  for (let row = left.pop(); row !== undefined; row = left.pop()) {
    const { trail, depth } = row;
    rows.push(row);
    left.push(...trail.opened.map((each) => ({ trail: each, depth: depth + 1 })).reverse());
  }
  return rows;
}
