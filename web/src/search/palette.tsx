/** The command palette: results as one types, searches that were saved, and every screen to go to. */
import { useQuery } from "@tanstack/react-query";
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "../i18n/translation";
import { navigate } from "../app/router";
import { NAVIGATION } from "../app/routes";
import { useHidden } from "../ui/deletions";
import { classes } from "../ui/classes";
import type { IconName } from "../ui/icons";
import { PlainIcon, SiteIcon } from "../ui/site-icon";
import { useDates } from "../ui/time/dates";
import dialog from "../ui/dialog.module.css";
import { addressOf, savedQuery, suggestionsQuery, isHidden } from "./api";
import { searchAddress } from "./search-address";
import { useSettled } from "./use-settled";
import styles from "./palette.module.css";

interface Option {
  /** Where it is of no site. */
  readonly icon: IconName;
  readonly key: string;
  readonly to: string;
  readonly label: string;
  readonly detail?: string;
  readonly domain?: string | null;
}

export default function Palette({
  isOwner,
  close,
}: {
  readonly isOwner: boolean;
  readonly close: () => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const options = useOptions(typed.trim(), isOwner);
  const active = Math.min(chosen, options.length - 1);
  useLayoutEffect(() => {
    const opened = element.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  const go = (option: Option | undefined) => {
    if (!option) return;
    close();
    navigate(option.to);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      setChosen((active + step + options.length) % Math.max(options.length, 1));
    } else if (event.key === "Enter") go(options[active]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={element}
      className={classes(dialog["dialog"], styles["palette"])}
      aria-label={t("search.openHint")}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === element.current) close();
      }}
    >
      <input
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={active >= 0 ? `${id}-${String(active)}` : undefined}
        aria-autocomplete="list"
        aria-label={t("search.label")}
        placeholder={t("search.label")}
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={t("search.suggestions")}>
        {options.map((option, place) => (
          <li
            key={option.key}
            id={`${id}-${String(place)}`}
            role="option"
            aria-selected={place === active}
            onPointerMove={() => {
              setChosen(place);
            }}
            onClick={() => {
              go(option);
            }}
          >
            {option.domain ? <SiteIcon domain={option.domain} /> : <PlainIcon name={option.icon} />}
            <span className={styles["words"]}>
              <span>{option.label}</span>
              {option.detail && <small>{option.detail}</small>}
            </span>
          </li>
        ))}
      </ul>
    </dialog>
  );
}

function useOptions(typed: string, isOwner: boolean): readonly Option[] {
  const { t } = useTranslation();
  const dates = useDates();
  const hidden = useHidden();
  const { data: saved = [] } = useQuery(savedQuery);
  const { data } = useQuery(suggestionsQuery(useSettled(typed)));
  const words = typed.toLowerCase();
  const screens = NAVIGATION.filter(({ isOwners }) => isOwner || !isOwners)
    .map(({ to, label }) => ({
      key: to,
      to,
      label: t("search.goTo", { screen: t(label) }),
      icon: "right" as const,
    }))
    .filter(({ label }) => label.toLowerCase().includes(words));
  const kept = saved
    .filter(({ id, name, query }) => !hidden.has(id) && `${name} ${query}`.toLowerCase().includes(words))
    .map(({ id, name, query }) => ({
      key: id,
      to: searchAddress({ q: query }),
      label: name,
      detail: query,
      icon: "search" as const,
    }));
  if (typed === "") return [...kept, ...screens];
  const shown = (data?.hits ?? []).filter((hit) => !isHidden(hit, hidden));
  const hits = shown.map((hit) => ({
    key: `${hit.kind} ${hit.id}`,
    to: addressOf(hit),
    label: hit.title ?? t("search.untitled"),
    detail: [t(`search.kind.${hit.kind}`), hit.domain, dates.moment(hit.at)].filter(Boolean).join(" · "),
    domain: hit.domain,
    icon: "web" as const,
  }));
  const all = {
    key: "all",
    to: searchAddress({ q: typed }),
    label: t("search.all", { query: typed }),
    icon: "search" as const,
  };
  return [...hits, all, ...kept, ...screens];
}
