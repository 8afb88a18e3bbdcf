import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Mark } from "../../sessions/api";
import { Button } from "../../ui/button";
import { useDates } from "../../ui/dates";

const LONG = 400;
const FIRST = 4;

/** Texts that were marked, each where it came from. Whatever pages wrote is text here, and nothing else. */
export function Highlights({ marks }: { readonly marks: readonly Mark[] }) {
  const { t } = useTranslation();
  const dates = useDates();
  // A reader who marks a lot shall not have to scroll past all of it to reach the timeline.
  const [isWhole, setWhole] = useState(false);
  if (marks.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="marks-title">
      <h2 id="marks-title">{t("timeline.marks")}</h2>
      <ul className="marks">
        {(isWhole ? marks : marks.slice(0, FIRST)).map((mark) => (
          <li key={mark.id}>
            <figure className="mark-figure">
              <Quoted text={mark.text} />
              <figcaption className="row-note">
                <time dateTime={mark.created_at}>{dates.clock(mark.created_at)}</time>
                {" · "}
                <a href={safeHref(mark.url)} target="_blank" rel="noreferrer noopener">
                  <bdi>{shortUrl(mark.url)}</bdi>
                </a>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
      {!isWhole && marks.length > FIRST && (
        <div>
          <Button
            onClick={() => {
              setWhole(true);
            }}
          >
            {t("timeline.allMarks", { count: marks.length })}
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
        <summary>{t("timeline.readAll")}</summary>
        <p className="mark-whole">{text}</p>
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
