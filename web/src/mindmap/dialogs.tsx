/** What an edit has to be asked for: a label, or another node. */
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { FormDialog } from "../ui/form-dialog";
import { Field, requiredError } from "../ui/forms/field";
import styles from "../library/dialogs.module.css";
import { labelOf, pathTo, ROOT, search, subtree, type Tree } from "./tree";

const LONGEST_LABEL = 120;
const MOST_SHOWN = 60;

interface LabelProps {
  readonly title: string;
  readonly submit: string;
  readonly label: string;
  readonly done: (label: string) => void;
  readonly close: () => void;
}

export function LabelDialog({ title, submit, label, done, close }: LabelProps) {
  const { t } = useTranslation();
  return (
    <FormDialog
      title={title}
      submit={submit}
      check={({ label: typed }) => ({ label: requiredError(typed, t) })}
      send={({ label: typed = "" }) => Promise.resolve(typed.trim())}
      done={(typed) => {
        close();
        done(typed);
      }}
      close={close}
    >
      <Field
        name="label"
        label={t("mindmap.edit.label")}
        defaultValue={label}
        maxLength={LONGEST_LABEL}
        autoComplete="off"
        onFocus={(event) => {
          event.currentTarget.select();
        }}
      />
    </FormDialog>
  );
}

interface NodeProps {
  readonly tree: Tree;
  readonly id: string;
  readonly doing: "move" | "connect";
  readonly done: (other: string) => void;
  readonly close: () => void;
}

/** Choose another node from a list that can be searched. */
export function NodeDialog({ tree, id, doing, done, close }: NodeProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState("");
  const choices = possible(tree, id, doing, words).slice(0, MOST_SHOWN);
  const choice = choices.find((each) => each === chosen) ?? choices[0];
  return (
    <FormDialog
      title={t(`mindmap.edit.${doing}Title`, { label: labelOf(tree, id) })}
      submit={t(`mindmap.edit.${doing}Submit`)}
      check={() => ({ words: choice === undefined ? t("ui.noMatches") : undefined })}
      send={() => Promise.resolve(choice ?? "")}
      done={(other) => {
        close();
        done(other);
      }}
      close={close}
    >
      <Field
        name="words"
        label={t("mindmap.search")}
        type="search"
        autoComplete="off"
        value={words}
        onChange={(event) => {
          setWords(event.currentTarget.value);
        }}
      />
      <fieldset className={styles["choices"]}>
        <legend>{t("mindmap.edit.choices")}</legend>
        {choices.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="node"
              checked={each === choice}
              onChange={() => {
                setChosen(each);
              }}
            />
            <bdi>{nameOf(tree, each)}</bdi>
          </label>
        ))}
        {choices.length === 0 && <p>{t("ui.noMatches")}</p>}
      </fieldset>
    </FormDialog>
  );
}

function nameOf(tree: Tree, id: string): string {
  return id === ROOT
    ? labelOf(tree, ROOT)
    : pathTo(tree, id)
        .map((each) => labelOf(tree, each))
        .join(" / ");
}

/** Not below itself, and not where it is already. */
function possible(tree: Tree, id: string, doing: "move" | "connect", words: string): readonly string[] {
  const all = words.trim() === "" ? tree.map.nodes.map((node) => node.id) : search(tree, words);
  const own = subtree(tree, id);
  const related = tree.related.get(id) ?? [];
  return all.filter((each) =>
    doing === "move"
      ? !own.has(each) && each !== tree.parents.get(id)
      : each !== id && each !== ROOT && !related.includes(each),
  );
}
