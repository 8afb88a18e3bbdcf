/** Bookmarks in, with live progress; the library out, as a file. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { useArrival } from "../app/screen";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { saveFile } from "../ui/download";
import { Select } from "../ui/forms/field";
import { Form } from "../ui/forms/form";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice, Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import {
  foldersQuery,
  getExport,
  importsQuery,
  isRunning,
  libraryKey,
  startImport,
  type Format,
  type Import,
} from "./api";
import { FileField } from "./file-field";
import { LibraryFrame } from "./frame";
import { ImportRow } from "./import-row";
import { rowsOf } from "./tree";
import styles from "./import.module.css";
import library from "./library.module.css";

const FORMATS = ["html", "json", "csv"] as const satisfies readonly Format[];

export default function ImportScreen() {
  const { t } = useTranslation();
  const heading = useArrival(`${t("library.import.title")} – ${t("library.title")}`);
  return (
    <LibraryFrame>
      <div className={library["head"]}>
        <h1 ref={heading} tabIndex={-1}>
          {t("library.import.title")}
        </h1>
      </div>
      <ImportFile />
      <Imports />
      <Export />
    </LibraryFrame>
  );
}

function ImportFile() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: folders = [] } = useQuery(foldersQuery);
  const file = useRef<HTMLInputElement>(null);
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="import-title">
      <h2 id="import-title">{t("library.import.import")}</h2>
      <p className={layout["soft"]}>{t("library.import.lead")}</p>
      <Form
        submit={t("library.import.submit")}
        check={() => ({ file: file.current?.files?.length ? undefined : t("library.import.noFile") })}
        send={({ folder = "" }) => {
          const [chosen] = file.current?.files ?? [];
          if (chosen === undefined) throw new Error("checked before");
          return startImport(chosen, folder === "" ? null : folder);
        }}
        done={(started, form) => {
          form?.reset();
          queries.setQueryData<readonly Import[]>(importsQuery.queryKey, (before) => [
            started,
            ...(before ?? []),
          ]);
          void queries.invalidateQueries({ queryKey: importsQuery.queryKey });
        }}
      >
        <FileField ref={file} name="file" label={t("library.import.file")} accept=".html,.htm,.json,.csv" />
        {folders.length > 0 && (
          <Select name="folder" label={t("library.import.folder")}>
            <option value="">{t("library.folder.top")}</option>
            {rowsOf(folders, () => true).map(({ folder, path }) => (
              <option key={folder.id} value={folder.id}>
                {path.join(" / ")}
              </option>
            ))}
          </Select>
        )}
      </Form>
    </section>
  );
}

/** Once another import has ended, everything of the library may have changed, whoever heard of it first. */
function useReloadAfter(imports: readonly Import[] | undefined): void {
  const queries = useQueryClient();
  const ended = imports?.filter((job) => !isRunning(job)).length;
  const known = useRef(ended);
  useEffect(() => {
    if (ended === undefined || known.current === ended) return;
    const isFirst = known.current === undefined;
    known.current = ended;
    if (!isFirst) void queries.invalidateQueries({ queryKey: libraryKey });
  }, [ended, queries]);
}

function Imports() {
  const { t } = useTranslation();
  const imports = useQuery(importsQuery);
  useReloadAfter(imports.data);
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="imports-title">
      <h2 id="imports-title">{t("library.import.imports")}</h2>
      {imports.data?.length === 0 && <p className={layout["empty"]}>{t("library.import.none")}</p>}
      {imports.data ? (
        <ul className={styles["imports"]}>
          {imports.data.map((job) => (
            <ImportRow key={job.id} job={job} />
          ))}
        </ul>
      ) : imports.error ? (
        <Trouble error={imports.error} retry={imports.refetch} />
      ) : (
        <Waiting />
      )}
    </section>
  );
}

function Export() {
  const { t } = useTranslation();
  const [saved, setSaved] = useState("");
  const take = useAction(getExport, {
    done: ({ name, body }) => {
      saveFile(body, name);
      setSaved(name);
    },
  });
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="export-title">
      <h2 id="export-title">{t("library.export.title")}</h2>
      <p className={layout["soft"]}>{t("library.export.lead")}</p>
      <FailureNotice failure={take.failure} />
      <div className={layout["button-row"]}>
        {FORMATS.map((format) => (
          <Button
            key={format}
            isBusy={take.isBusy}
            onClick={() => {
              take.run(format);
            }}
          >
            {t(`library.export.${format}`)}
          </Button>
        ))}
        <p className={layout["success"]} role="status">
          {take.isBusy ? t("library.export.busy") : saved && t("library.export.done", { name: saved })}
        </p>
      </div>
    </section>
  );
}
