/** What can be done with the open folder. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { navigate } from "../app/router";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/dialog";
import { FormDialog } from "../ui/form-dialog";
import { Field, requiredError } from "../ui/forms/field";
import { useAction } from "../ui/hooks/use-action";
import { addFolder, changeFolder, deleteFolder, libraryKey, type Folder } from "./api";
import { folderPath } from "./folder-tree";
import { MoveDialog } from "./move-dialog";
import styles from "./library.module.css";

type Doing = "rename" | "move" | "delete" | null;

export function FolderActions({ folder }: { readonly folder: Folder }) {
  const { t } = useTranslation();
  const [doing, setDoing] = useState<Doing>(null);
  const close = () => {
    setDoing(null);
  };
  const open = (what: Doing) => () => {
    setDoing(what);
  };
  return (
    <div className={styles["actions"]}>
      <NewFolder parent={folder} />
      <Button onClick={open("rename")}>{t("library.folder.rename")}</Button>
      <Button onClick={open("move")}>{t("library.folder.move")}</Button>
      <Button look="danger" onClick={open("delete")}>
        {t("library.folder.delete")}
      </Button>
      {doing === "rename" && <Rename folder={folder} close={close} />}
      {doing === "move" && <MoveDialog what={{ kind: "folder", id: folder.id }} close={close} />}
      {doing === "delete" && <Delete folder={folder} close={close} />}
    </div>
  );
}

export function NewFolder({ parent }: { readonly parent: Folder | null }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
  };
  return (
    <>
      <Button
        onClick={() => {
          setOpen(true);
        }}
      >
        {t("library.folder.add")}
      </Button>
      {isOpen && (
        <FormDialog
          title={parent ? t("library.folder.addTitle", { name: parent.name }) : t("library.folder.add")}
          submit={t("library.folder.create")}
          check={({ name }) => ({ name: requiredError(name, t) })}
          send={({ name = "" }) => addFolder(name.trim(), parent?.id ?? null)}
          done={({ id }) => {
            close();
            void queries.invalidateQueries({ queryKey: libraryKey });
            navigate(folderPath(id));
          }}
          close={close}
        >
          <Field name="name" label={t("library.folder.name")} autoComplete="off" />
        </FormDialog>
      )}
    </>
  );
}

interface Props {
  readonly folder: Folder;
  readonly close: () => void;
}

function Rename({ folder, close }: Props) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (
    <FormDialog
      title={t("library.folder.renameTitle")}
      submit={t("ui.save")}
      check={({ name }) => ({ name: requiredError(name, t) })}
      send={({ name = "" }) => changeFolder(folder.id, { name: name.trim() })}
      done={() => {
        close();
        void queries.invalidateQueries({ queryKey: libraryKey });
      }}
      close={close}
    >
      <Field name="name" label={t("library.folder.name")} autoComplete="off" defaultValue={folder.name} />
    </FormDialog>
  );
}

function Delete({ folder, close }: Props) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const action = useAction(() => deleteFolder(folder.id), {
    done: () => {
      navigate(folder.parent_id === null ? "/library" : folderPath(folder.parent_id), { replace: true });
      void queries.invalidateQueries({ queryKey: libraryKey });
    },
  });
  return (
    <ConfirmDialog
      title={t("library.folder.deleteTitle", { name: folder.name })}
      text={t("library.folder.deleteText")}
      confirm={t("library.folder.delete")}
      action={action}
      close={close}
    />
  );
}
