import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { useHidden } from "../ui/deletions";
import { shortUrl } from "../ui/addresses";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { inWords } from "../ui/time/durations";
import { Moment } from "../ui/time/moment";
import type { PageVisit, VisitedPage } from "./api";
import styles from "./visited.module.css";

const MOST_LETTERS = 120;

/** Every visit, newest first; each leads to its place in the session. */
export function Visits({ page }: { readonly page: VisitedPage }) {
  const { t } = useTranslation();
  const hidden = useHidden();
  const visits = page.visits.filter(({ session_id }) => !hidden.has(session_id));
  const focused = page.visits.filter((visit) => visit.is_focused).length;
  return (
    <section aria-labelledby="visits-title">
      <h2 id="visits-title">{t("visited.visits")}</h2>
      {visits.length === 0 && <p className={layout["soft"]}>{t("visited.noVisits")}</p>}
      <ol className={list["rows"]} reversed>
        {visits.map((visit) => (
          <VisitRow key={visit.id} visit={visit} />
        ))}
      </ol>
      {focused < page.visit_count && (
        <p className={layout["soft"]}>{t("visited.newest", { count: page.visits.length })}</p>
      )}
    </section>
  );
}

function VisitRow({ visit }: { readonly visit: PageVisit }) {
  const { t } = useTranslation();
  const seq = visit.id.split(":")[1] ?? "";
  return (
    <li className={list["row"]}>
      <div className={list["row-words"]}>
        <Link to={`/sessions/${visit.session_id}?visit=${seq}`}>
          <Moment at={visit.entered_at} />
        </Link>
        <p className={styles["note"]}>
          {visit.session_title !== null && <bdi>{visit.session_title.slice(0, MOST_LETTERS)}</bdi>}
          {visit.came_from !== null && (
            <>
              {" · "}
              <bdi>
                {t("session.timeline.from", { page: shortUrl(visit.came_from).slice(0, MOST_LETTERS) })}
              </bdi>
            </>
          )}
          {!visit.is_focused && ` · ${t("session.kinds.unfocused")}`}
        </p>
      </div>
      <span className={list["row-note"]}>{inWords(visit.duration_ms, t)}</span>
    </li>
  );
}
