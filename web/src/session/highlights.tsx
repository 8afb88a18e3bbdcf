import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import type { Highlight } from "./api";
import { Note } from "../highlights/note";
import { Quote } from "../highlights/quote";
import { addressAt } from "../highlights/text-fragment";
import { safeHref, shortUrl } from "../ui/addresses";
import { Button } from "../ui/button";
import { useDates } from "../ui/time/dates";
import layout from "../ui/styles/layout.module.css";
import styles from "./highlights.module.css";
import list from "../ui/styles/list.module.css";

const FIRST = 4;

/** Texts that were marked, each where it came from. Whatever pages wrote is text here, and nothing else. */
export function Highlights({ highlights }: { readonly highlights: readonly Highlight[] }) {
  const { t } = useTranslation();
  const dates = useDates();
  // A reader who highlights a lot shall not have to scroll past all of it to reach the timeline.
  const [isWhole, setWhole] = useState(false);
  if (highlights.length === 0) return null;
  return (
    <section className={layout["stack"]} aria-labelledby="highlights-title">
      <h2 id="highlights-title">{t("session.timeline.highlights")}</h2>
      <ul className={styles["highlights"]}>
        {(isWhole ? highlights : highlights.slice(0, FIRST)).map((highlight) => (
          <li key={highlight.id}>
            <figure className={styles["highlight"]}>
              <Quote text={highlight.text} />
              <Note id={highlight.id} note={highlight.note}>
                <p className={list["row-note"]}>
                  <time dateTime={highlight.created_at}>{dates.clock(highlight.created_at)}</time>
                  {" · "}
                  <a
                    href={safeHref(addressAt(highlight.url, highlight.text))}
                    target="_blank"
                    rel="noreferrer noopener"
                  >
                    <bdi>{shortUrl(highlight.url)}</bdi>
                  </a>
                </p>
              </Note>
            </figure>
          </li>
        ))}
      </ul>
      {!isWhole && highlights.length > FIRST && (
        <div>
          <Button
            onClick={() => {
              setWhole(true);
            }}
          >
            {t("session.timeline.allHighlights", { count: highlights.length })}
          </Button>
        </div>
      )}
    </section>
  );
}
