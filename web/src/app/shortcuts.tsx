/** Single keys: what they do is said by `?`. They can be switched off, and never act while somebody types. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { navigate, useLocation } from "./router";
import { undo } from "../ui/deletions";
import { recall, remember } from "../ui/local-storage";
import { Button } from "../ui/button";
import { Check } from "../ui/forms/field";
import styles from "../ui/dialog.module.css";
import shortcuts from "./shortcuts.module.css";
import layout from "../ui/styles/layout.module.css";
import { classes } from "../ui/classes";

const REMEMBERED = "mindhit.shortcuts"; // "off", or nothing
const THEN_MS = 1_200;

const SECTIONS = {
  everywhere: [
    { keys: ["?"], label: "help" },
    { keys: ["/"], label: "search" },
    { keys: ["z"], label: "undo" },
    { keys: ["g", "o"], label: "goOverview" },
    { keys: ["g", "l"], label: "goLibrary" },
    { keys: ["g", "s"], label: "goSettings" },
    { keys: ["g", "p"], label: "goOperations" },
  ],
  overview: [
    { keys: ["f"], label: "filter" },
    { keys: ["j"], label: "next" },
    { keys: ["k"], label: "previous" },
    { keys: ["x"], label: "select" },
  ],
  session: [
    { keys: ["e"], label: "rename" },
    { keys: ["j"], label: "next" },
    { keys: ["k"], label: "previous" },
    { keys: ["+", "−"], label: "zoom" },
    { keys: ["←", "→"], label: "pan" },
    { keys: ["0"], label: "fit" },
  ],
} as const;

type Keys = Readonly<Record<string, () => void>>;

/** While the screen is there. Keys of two letters are pressed one after the other: `g o`. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    let before = "";
    let beforeAt = 0;
    const onKey = (event: KeyboardEvent) => {
      if (!isForUs(event)) return;
      const key = keyOf(event);
      const pair = event.timeStamp - beforeAt < THEN_MS ? `${before} ${key}` : "";
      const act = latest.current[pair] ?? latest.current[key];
      before = key;
      beforeAt = event.timeStamp;
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
    };
  }, []);
}

/** By what each key has on a Latin keyboard, without and with Shift. */
const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
  Slash: ["/", "?"],
  Equal: ["=", "+"],
  Minus: ["-", "_"],
};

/** The sign that was typed; with a layout or input method of other letters, what a Latin keyboard has on that key. */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (/^[ -~]$/.test(key)) return shiftKey ? key : key.toLowerCase();
  const sign = SIGNS[code]?.[shiftKey ? 1 : 0];
  return sign ?? /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code)?.[1]?.toLowerCase() ?? key;
}

function isForUs(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return false;
  if (keyOf(event) !== "?" && recall(REMEMBERED) === "off") return false;
  const target = event.target instanceof Element ? event.target : null;
  return !target?.closest("input, textarea, select, [contenteditable], dialog");
}

export function Shortcuts({ isOwner }: { readonly isOwner: boolean }) {
  const { path, search } = useLocation();
  const address = `${path}?${search.toString()}`;
  const [openAt, setOpenAt] = useState<string | null>(null);
  if (openAt !== null && openAt !== address) setOpenAt(null); // gone back from: it was about another screen
  useKeys({
    "?": () => {
      setOpenAt(address);
    },
    z: () => {
      undo();
    },
    "g o": () => {
      navigate("/");
    },
    "g l": () => {
      navigate("/library");
    },
    "g s": () => {
      navigate("/settings");
    },
    ...(isOwner
      ? {
          "g p": () => {
            navigate("/operations");
          },
        }
      : {}),
  });
  if (openAt === null) return null;
  return (
    <Help
      isOwner={isOwner}
      close={() => {
        setOpenAt(null);
      }}
    />
  );
}

function Help({ isOwner, close }: { readonly isOwner: boolean; readonly close: () => void }) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [isOn, setOn] = useState(recall(REMEMBERED) !== "off");
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes(styles["dialog"], shortcuts["shortcuts"])}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 id={id}>{t("app.shortcuts.title")}</h2>
      {(Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]).map((section) => (
        <section key={section}>
          <h3>{t(`app.shortcuts.sections.${section}`)}</h3>
          <dl>
            {SECTIONS[section]
              .filter(({ label }) => isOwner || label !== "goOperations")
              .map(({ keys, label }) => (
                <div key={label}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{t(`app.shortcuts.keys.${label}`)}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      <Check
        label={t("app.shortcuts.enabled")}
        hint={t("app.shortcuts.enabledHint")}
        checked={isOn}
        onChange={(event) => {
          setOn(event.currentTarget.checked);
          remember(REMEMBERED, event.currentTarget.checked ? "on" : "off");
        }}
      />
      <div className={layout["button-row"]}>
        <Button onClick={close}>{t("app.shortcuts.close")}</Button>
      </div>
    </dialog>
  );
}
