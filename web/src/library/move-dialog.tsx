/** The way to move something without dragging: choose a folder from a list that can be searched. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { FormDialog } from "../ui/form-dialog";
import { Field } from "../ui/forms/field";
import { foldersQuery } from "./api";
import { useMoving, type Dragged } from "./moving";
import { rowsOf } from "./tree";
import styles from "./dialogs.module.css";

const MOST_SHOWN = 100;

interface Props {
  readonly what: Dragged;
  readonly close: () => void;
  readonly done?: () => void;
}

export function MoveDialog({ what, close, done }: Props) {
  const { t } = useTranslation();
  const { move, mayDrop } = useMoving();
  const { data: folders = [] } = useQuery(foldersQuery);
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState("");
  const wanted = words.trim().toLocaleLowerCase();
  const found = rowsOf(folders, () => true)
    .filter(
      ({ folder, path }) => mayDrop(what, folder.id) && path.join(" / ").toLocaleLowerCase().includes(wanted),
    )
    .slice(0, MOST_SHOWN);
  const choices = [
    ...(wanted === "" ? [{ id: "", label: t("library.folder.top") }] : []),
    ...found.map(({ folder, path }) => ({ id: folder.id, label: path.join(" / ") })),
  ];
  const choice = choices.find(({ id }) => id === chosen) ?? choices[0];
  return (
    <FormDialog
      title={t("library.moving.title")}
      submit={t("library.moving.submit")}
      check={() => ({ words: choice === undefined ? t("ui.noMatches") : undefined })}
      send={() => Promise.resolve(choice?.id ?? "")}
      done={(id) => {
        move({ what, to: id === "" ? null : id });
        close();
        done?.();
      }}
      close={close}
    >
      <Field
        name="words"
        label={t("library.moving.search")}
        type="search"
        autoComplete="off"
        value={words}
        onChange={(event) => {
          setWords(event.currentTarget.value);
        }}
      />
      <fieldset className={styles["choices"]}>
        <legend>{t("library.moving.choices")}</legend>
        {choices.map(({ id, label }) => (
          <label key={id}>
            <input
              type="radio"
              name="folder"
              checked={id === choice?.id}
              onChange={() => {
                setChosen(id);
              }}
            />
            <bdi>{label}</bdi>
          </label>
        ))}
        {choices.length === 0 && <p>{t("ui.noMatches")}</p>}
      </fieldset>
    </FormDialog>
  );
}
