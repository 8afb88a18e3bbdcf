import { LONGEST_SEARCH } from "@mindhit/client";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { STATUSES } from "../session/api";
import { useKeys } from "../app/shortcuts";
import { ForgetSite } from "../forget/forget-site";
import { Button } from "../ui/button";
import { useDayName } from "../ui/time/dates";
import { useFilterParams, WHENS, type ChangeParams, type When } from "./filter-params";
import styles from "./filters.module.css";
import layout from "../ui/styles/layout.module.css";

const TYPING_PAUSE_MS = 250;

/** The search starts when the person stops typing, not at every letter. */
export function Filters() {
  const { t } = useTranslation();
  const { params, change, clear, isFiltered } = useFilterParams();
  const field = useRef<HTMLInputElement>(null);
  const dayName = useDayName();
  useKeys({
    f: () => {
      field.current?.focus();
    },
  });
  return (
    <form
      className={styles["filters"]}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <Words field={field} words={params.words} change={change} />
      <label>
        <span className={layout["sr-only"]}>{t("overview.list.status")}</span>
        <select
          value={params.status}
          onChange={(event) => {
            change({ status: event.currentTarget.value });
          }}
        >
          <option value="">{t("overview.list.anyStatus")}</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {t(`session.status.${status}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className={layout["sr-only"]}>{t("overview.list.when")}</span>
        <select
          value={params.when}
          onChange={(event) => {
            change({ when: event.currentTarget.value as When, day: "" });
          }}
        >
          {(Object.keys(WHENS) as When[]).map((when) => (
            <option key={when} value={when}>
              {t(`overview.list.whens.${when}`)}
            </option>
          ))}
        </select>
      </label>
      {isFiltered && (
        <div className={styles["filters-set"]}>
          {params.day !== "" && (
            <Button
              aria-label={t("overview.list.removeFilter", { value: dayName(params.day) })}
              onClick={() => {
                change({ day: "" });
              }}
            >
              {dayName(params.day)} <span aria-hidden="true">×</span>
            </Button>
          )}
          {params.domain !== "" && (
            <Button
              aria-label={t("overview.list.removeFilter", { value: params.domain })}
              onClick={() => {
                change({ domain: "" });
              }}
            >
              <bdi>{params.domain}</bdi> <span aria-hidden="true">×</span>
            </Button>
          )}
          {params.domain !== "" && (
            <ForgetSite
              domain={params.domain}
              done={() => {
                change({ domain: "" });
              }}
            />
          )}
          <Button look="quiet" onClick={clear}>
            {t("overview.list.clear")}
          </Button>
        </div>
      )}
    </form>
  );
}

interface WordsProps {
  readonly field: React.RefObject<HTMLInputElement | null>;
  readonly words: string;
  readonly change: ChangeParams;
}

function Words({ field, words, change }: WordsProps) {
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
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  useEffect(() => {
    if (typed.trim() === sent) return;
    const timer = setTimeout(() => {
      setSent(typed.trim());
      latest.current({ words: typed.trim() }, true);
    }, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, sent]);
  return (
    <label className={styles["filters-words"]}>
      <span className={layout["sr-only"]}>{t("overview.list.search")}</span>
      <input
        ref={field}
        type="search"
        value={typed}
        maxLength={LONGEST_SEARCH}
        placeholder={t("overview.list.searchHint")}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
        }}
      />
    </label>
  );
}
