import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { STATUSES } from "../../sessions/api";
import { useKeys } from "../../shortcuts";
import { Button } from "../../ui/button";
import { useDayName } from "../../ui/dates";
import { useAsked, WHENS, type Ask, type When } from "./wanted";

const PATIENCE_MS = 250;

/** Words are looked for when the person pauses, not at every letter. */
export function Filters({ found }: { readonly found: string }) {
  const { t } = useTranslation();
  const { asked, ask, clear, isFiltered } = useAsked();
  const field = useRef<HTMLInputElement>(null);
  const dayName = useDayName();
  useKeys({
    "/": () => {
      field.current?.focus();
    },
  });
  return (
    <form
      className="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <Words field={field} words={asked.words} ask={ask} />
      <label>
        <span className="sr-only">{t("list.status")}</span>
        <select
          value={asked.status}
          onChange={(event) => {
            ask({ status: event.currentTarget.value });
          }}
        >
          <option value="">{t("list.anyStatus")}</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {t(`status.${status}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="sr-only">{t("list.when")}</span>
        <select
          value={asked.when}
          onChange={(event) => {
            ask({ when: event.currentTarget.value as When, day: "" });
          }}
        >
          {(Object.keys(WHENS) as When[]).map((when) => (
            <option key={when} value={when}>
              {t(`list.whens.${when}`)}
            </option>
          ))}
        </select>
      </label>
      <p className="filters-found" role="status">
        {found}
      </p>
      {isFiltered && (
        <div className="filters-set">
          {asked.day !== "" && (
            <Button
              aria-label={t("list.dayClear", { day: dayName(asked.day) })}
              onClick={() => {
                ask({ day: "" });
              }}
            >
              {dayName(asked.day)} <span aria-hidden="true">×</span>
            </Button>
          )}
          {asked.domain !== "" && (
            <Button
              aria-label={t("list.domainClear", { domain: asked.domain })}
              onClick={() => {
                ask({ domain: "" });
              }}
            >
              <bdi>{asked.domain}</bdi> <span aria-hidden="true">×</span>
            </Button>
          )}
          <Button look="quiet" onClick={clear}>
            {t("list.clear")}
          </Button>
        </div>
      )}
    </form>
  );
}

interface WordsProps {
  readonly field: React.RefObject<HTMLInputElement | null>;
  readonly words: string;
  readonly ask: Ask;
}

function Words({ field, words, ask }: WordsProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(words);
  const [sent, setSent] = useState(words);
  const [seen, setSeen] = useState(words);
  if (words !== seen) {
    setSeen(words);
    // Somebody else changed it: the back button, or the button that clears.
    if (words !== sent) {
      setTyped(words);
      setSent(words);
    }
  }
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    if (typed.trim() === sent) return;
    const timer = setTimeout(() => {
      setSent(typed.trim());
      latest.current({ words: typed.trim() }, true);
    }, PATIENCE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, sent]);
  return (
    <label className="filters-words">
      <span className="sr-only">{t("list.search")}</span>
      <input
        ref={field}
        type="search"
        value={typed}
        maxLength={200}
        placeholder={t("list.searchHint")}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
        }}
      />
    </label>
  );
}
