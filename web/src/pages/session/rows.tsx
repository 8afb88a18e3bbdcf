import type { TFunction } from "i18next";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { en } from "../../i18n/en";
import type { Hole, Visit } from "../../sessions/api";
import { SiteMark, tint } from "../../sessions/mark";
import type { Stretch } from "../../sessions/stretches";
import { useDates } from "../../ui/dates";
import { exactly, inWords } from "../../ui/durations";
import { safeHref, shortUrl } from "./highlights";

/** Of a visit's highlights; `timeline.tsx` leaves room for as many. */
export const MARKS_SHOWN = 2;

interface VisitProps {
  readonly stretch: Stretch;
  readonly visit: Visit;
  readonly hue: number | undefined;
  readonly longest: number;
  readonly aim: (stretch: Stretch) => void;
}

export const VisitRow = memo(function VisitRow({ stretch, visit, hue, longest, aim }: VisitProps) {
  const { t } = useTranslation();
  const came = cameOf(visit, stretch, t);
  return (
    <div className="visit tinted" data-kind={stretch.kind} style={tint(hue ?? 0)}>
      <Times stretch={stretch} aim={aim} />
      <SiteMark domain={visit.domain} hue={hue} favicon={visit.favicon} />
      <div className="visit-words">
        <p className="visit-title">
          <a href={safeHref(visit.url)} target="_blank" rel="noreferrer noopener" title={shown(visit.url)}>
            <bdi>{shown(visit.title ?? "") || shortUrl(visit.url) || t("timeline.noTitle")}</bdi>
          </a>
        </p>
        <p className="visit-note">
          <bdi>{visit.domain}</bdi>
          {!visit.is_focused && <> · {t("kinds.unfocused")}</>}
          {came !== "" && (
            <>
              {" · "}
              <bdi>{came}</bdi>
            </>
          )}
        </p>
        {stretch.marks.slice(0, MARKS_SHOWN).map((mark) => (
          <p key={mark.id} className="visit-mark" dir="auto">
            <q>{shown(mark.text)}</q>
          </p>
        ))}
      </div>
      <Dwell stretch={stretch} longest={longest} />
    </div>
  );
});

export function PauseRow({ stretch, longest, aim }: Pick<VisitProps, "stretch" | "longest" | "aim">) {
  const { t } = useTranslation();
  return (
    <div className="visit" data-kind={stretch.kind}>
      <Times stretch={stretch} aim={aim} />
      <span className="pause-mark" data-kind={stretch.kind} aria-hidden="true" />
      <p className="visit-note">{t(`kinds.${stretch.kind}`)}</p>
      <Dwell stretch={stretch} longest={longest} />
    </div>
  );
}

export function HoleRow({ hole, isAwaited }: { readonly hole: Hole; readonly isAwaited: boolean }) {
  const { t } = useTranslation();
  const range = { from: hole.from_seq, to: hole.to_seq };
  return (
    <div className="visit hole" data-kind="hole">
      <div className="hole-words">
        <p className="visit-title">{t("timeline.hole", { count: hole.to_seq - hole.from_seq + 1 })}</p>
        <p className="visit-note">
          {isAwaited ? t("timeline.holeWaiting", range) : t("timeline.holeGivenUp", range)}
        </p>
      </div>
    </div>
  );
}

/** When it began and ended, exactly; a click shows it on the strip. */
function Times({ stretch, aim }: Pick<VisitProps, "stretch" | "aim">) {
  const { t } = useTranslation();
  const dates = useDates();
  const { from, to, isOpen } = stretch;
  return (
    <button
      type="button"
      className="times"
      title={t("timeline.onStrip")}
      onClick={() => {
        aim(stretch);
      }}
    >
      <time dateTime={new Date(from).toISOString()}>{dates.exact(from)}</time>
      <span className="times-end">
        {isOpen ? t("timeline.now") : <time dateTime={new Date(to).toISOString()}>{dates.exact(to)}</time>}
      </span>
    </button>
  );
}

/** To scale: the longest visit fills the width. Pauses may be longer, and then fill it too. */
function Dwell({ stretch, longest }: { readonly stretch: Stretch; readonly longest: number }) {
  const { t } = useTranslation();
  const ms = stretch.to - stretch.from;
  return (
    <div className="dwell" data-kind={stretch.kind}>
      <span className="dwell-time" title={exactly(ms)}>
        {inWords(ms, t)}
      </span>
      <span className="dwell-bar" style={{ width: `${Math.min(100, (100 * ms) / longest)}%` }} />
    </div>
  );
}

/** How the reader came to the page, as far as it is known. */
function cameOf({ transition, came_from }: Visit, { shown: found }: Stretch, t: TFunction): string {
  if (found !== null) return t(`timeline.${found}`);
  const way = transition === null ? "" : wayOf(transition, t);
  const from = came_from === null ? "" : t("timeline.opened", { page: shown(shortUrl(came_from)) });
  return [way, from].filter(Boolean).join(" ");
}

type Way = keyof typeof en.timeline.ways;

function wayOf(transition: string, t: TFunction): string {
  const known = Object.hasOwn(en.timeline.ways, transition) && transition !== "other";
  return known
    ? t(`timeline.ways.${transition as Way}`, { way: "" })
    : t("timeline.ways.other", { way: shown(transition) });
}

const MOST = 300;

/** One line of it: whoever named a page with ten thousand letters shall not slow the list down. */
function shown(text: string): string {
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}
