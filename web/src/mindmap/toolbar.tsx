/** What can be done with the whole map. */
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { Icon } from "../ui/icons";
import { saveFile } from "../ui/download";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import switches from "../ui/switch.module.css";
import { FORMATS, getMapFile, type MapFormat } from "./api";
import type { Editing } from "./editing";
import styles from "./toolbar.module.css";

export type Mode = "map" | "list";
const MODES = ["map", "list"] as const satisfies readonly Mode[];

interface Props {
  readonly sessionId: string;
  readonly mode: Mode;
  readonly setMode: (mode: Mode) => void;
  readonly words: string;
  readonly setWords: (words: string) => void;
  readonly found: number;
  readonly next: (by: 1 | -1) => void;
  readonly deepest: number;
  /** How many levels are shown, where they were chosen; null: branch by branch. */
  readonly levels: number | null;
  readonly setLevels: (levels: number) => void;
  readonly editing: Editing;
  readonly hasEdits: boolean;
  readonly drop: () => void;
}

export function Toolbar(props: Props) {
  const { mode, setMode, words, setWords, found, next, deepest, levels, setLevels, editing } = props;
  const { t } = useTranslation();
  return (
    <div className={styles["toolbar"]}>
      <div className={styles["search"]}>
        <input
          type="search"
          aria-label={t("mindmap.search")}
          placeholder={t("mindmap.search")}
          value={words}
          onChange={(event) => {
            setWords(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter") next(event.shiftKey ? -1 : 1);
            if (event.key === "Escape") setWords("");
          }}
        />
        <span role="status">{words.trim() !== "" && t("mindmap.found", { count: found })}</span>
      </div>
      <select
        aria-label={t("mindmap.levels")}
        value={levels ?? ""}
        onChange={(event) => {
          setLevels(Number(event.currentTarget.value));
        }}
      >
        {levels === null && <option value="">{t("mindmap.levelsOwn")}</option>}
        {Array.from({ length: Math.max(0, deepest - 1) }, (_, n) => (
          <option key={n} value={n + 1}>
            {t("mindmap.levelsUpTo", { count: n + 1 })}
          </option>
        ))}
        <option value={deepest}>{t("mindmap.levelsAll")}</option>
      </select>
      <div className={switches["switch"]} role="group" aria-label={t("mindmap.mode")}>
        {MODES.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={mode === each}
            onClick={() => {
              setMode(each);
            }}
          >
            {t(`mindmap.modes.${each}`)}
          </button>
        ))}
      </div>
      <div className={styles["buttons"]}>
        {(["undo", "redo"] as const).map((way) => (
          <Button
            key={way}
            aria-label={t(`mindmap.${way}`)}
            title={t(`mindmap.${way}`)}
            isDisabled={editing[way] === null}
            onClick={() => editing[way]?.()}
          >
            <Icon name={way} />
          </Button>
        ))}
        <More sessionId={props.sessionId} hasEdits={props.hasEdits} drop={props.drop} />
      </div>
    </div>
  );
}

/** The map as a file, and back to the generated one. */
function More(props: Pick<Props, "sessionId" | "hasEdits" | "drop">) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [saved, setSaved] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const take = useAction((format: MapFormat) => getMapFile(props.sessionId, format), {
    done: ({ name, body }) => {
      saveFile(body, name);
      setSaved(name);
    },
  });
  useEffect(() => {
    if (!isOpen) return;
    const onPointer = (event: PointerEvent) => {
      if (!place.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", onPointer);
    return () => {
      document.removeEventListener("pointerdown", onPointer);
    };
  }, [isOpen]);
  return (
    <div
      ref={place}
      className={styles["more"]}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        setOpen(false);
        opener.current?.focus();
      }}
    >
      <Button
        ref={opener}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        {t("mindmap.export")}
      </Button>
      <div id={id} className={classes(styles["menu"], layout["panel"])} hidden={!isOpen}>
        {FORMATS.map((format) => (
          <Button
            key={format}
            look="quiet"
            isBusy={take.isBusy}
            onClick={() => {
              take.run(format);
            }}
          >
            {t(`mindmap.formats.${format}`)}
          </Button>
        ))}
        {props.hasEdits && (
          <Button
            look="quiet"
            onClick={() => {
              setOpen(false);
              props.drop();
            }}
          >
            {t("mindmap.dropEdits")}
          </Button>
        )}
        <p className={layout["success"]} role="status">
          {take.isBusy ? t("session.exporting") : saved && t("session.exported", { name: saved })}
        </p>
        <FailureNotice failure={take.failure} />
      </div>
    </div>
  );
}
