import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Highlight } from "./api";
import { Button } from "../ui/button";
import { useDates } from "../ui/time/dates";
import layout from "../ui/styles/layout.module.css";
import styles from "./highlights.module.css";
import list from "../ui/styles/list.module.css";

const LONG = 400;
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
              <Quoted text={highlight.text} />
              <figcaption className={list["row-note"]}>
                <time dateTime={highlight.created_at}>{dates.clock(highlight.created_at)}</time>
                {" · "}
                <a href={safeHref(highlight.url)} target="_blank" rel="noreferrer noopener">
                  <bdi>{shortUrl(highlight.url)}</bdi>
                </a>
              </figcaption>
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

function Quoted({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  if (text.length <= LONG)
    return (
      <blockquote dir="auto">
        <p>{text}</p>
      </blockquote>
    );
  return (
    <blockquote dir="auto">
      <p>{Array.from(text).slice(0, LONG).join("")}…</p>
      <details>
        <summary>{t("session.timeline.readAll")}</summary>
        <p className={styles["whole-text"]}>{text}</p>
      </details>
    </blockquote>
  );
}

/** Only pages of the web are recorded; were it ever otherwise, nothing of it would be run from here. */
export function safeHref(url: string): string | undefined {
  return /^https?:\/\//i.test(url) ? url : undefined;
}

export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//i, "").replace(/\/$/, "");
}
