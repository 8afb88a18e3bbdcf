/** A field that searches a long list (the ARIA combobox pattern): type to narrow, arrows and Enter to choose. */
import { useId, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "../../i18n/translation";
import { FieldFrame } from "./field";
import styles from "./combobox.module.css";

export interface Option {
  readonly value: string;
  readonly note: string;
  /** Found by this too, but not shown. */
  readonly also?: string;
}

interface ComboboxProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What fits the words typed so far, best first; all for none. */
  readonly search: (words: string) => readonly Option[];
}

const MOST_SHOWN = 80;

export function Combobox({ name, label, hint, value, onChange, search }: ComboboxProps) {
  const { t } = useTranslation();
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const [words, setWords] = useState<string | null>(null); // null: not searching
  const [active, setActive] = useState(0);
  const isOpen = words !== null;
  const found = isOpen ? search(words).slice(0, MOST_SHOWN) : [];

  const open = () => {
    setWords("");
    setActive(0);
  };
  const close = () => {
    setWords(null);
  };
  const choose = (option: Option | undefined) => {
    if (option) onChange(option.value);
    close();
  };
  const move = (to: number) => {
    setActive(to);
    list.current?.children[to]?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // Enter ends a syllable of Hangul
    if (event.key === "Escape" && isOpen) close();
    else if (event.key === "Enter" && isOpen) choose(found[active]);
    else if (event.key === "ArrowDown" && !isOpen) open();
    else if (event.key === "ArrowDown") move(Math.min(active + 1, found.length - 1));
    else if (event.key === "ArrowUp" && isOpen) move(Math.max(active - 1, 0));
    else return;
    event.preventDefault();
  };

  return (
    <FieldFrame name={name} label={label} hint={hint}>
      {(ties) => (
        <div className={styles["combobox"]}>
          <input
            {...ties}
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && found.length > 0 ? `${listId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            value={words ?? value}
            placeholder={isOpen ? value : undefined}
            onClick={() => {
              if (!isOpen) open();
            }}
            onBlur={close}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              setWords(event.currentTarget.value);
              setActive(0);
            }}
          />
          <ul ref={list} id={listId} role="listbox" aria-label={label} hidden={found.length === 0}>
            {found.map((option, i) => (
              <li
                key={option.value}
                id={`${listId}-${i}`}
                role="option"
                aria-selected={i === active}
                // The field keeps the focus; a click would take it away before it counts.
                onMouseDown={(event) => {
                  event.preventDefault();
                }}
                onClick={() => {
                  choose(option);
                }}
              >
                <span>{option.value}</span>
                <span className={styles["option-note"]}>{option.note}</span>
              </li>
            ))}
          </ul>
          {isOpen && found.length === 0 && (
            <p className={styles["combobox-none"]} role="status">
              {t("ui.noMatches")}
            </p>
          )}
        </div>
      )}
    </FieldFrame>
  );
}
