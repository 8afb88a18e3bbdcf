/** Everything as a file: asked for, made by the server, downloaded by the browser itself, which can continue a broken download. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { type Export, exportQuery, startExport } from "../account/exports";
import { Button, buttonClass } from "../ui/button";
import { classes } from "../ui/classes";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice, Notice, Trouble } from "../ui/notice";
import { inBytes } from "../ui/sizes";
import layout from "../ui/styles/layout.module.css";
import { useDates, useLocale } from "../ui/time/dates";

export function ExportSection() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: found, error, refetch } = useQuery(exportQuery);
  const start = useAction(startExport, {
    done: (started) => {
      queries.setQueryData(exportQuery.queryKey, started);
    },
  });
  const isUnderWay = found?.status === "queued" || found?.status === "running";
  const isReady = found?.status === "ready";
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="export-title">
      <h2 id="export-title">{t("settings.data.export")}</h2>
      <p className={layout["soft"]}>{t("settings.data.exportText")}</p>
      <FailureNotice failure={start.failure} />
      {error && <Trouble error={error} retry={refetch} />}
      {found?.status === "failed" && found.reason !== null && (
        <Notice tone="bad">{t(`settings.data.exportFailed.${found.reason}`)}</Notice>
      )}
      <div role="status">{found && <State found={found} />}</div>
      <div className={layout["button-row"]}>
        {isReady && (
          <a className={buttonClass("main")} href={`/v1/me/exports/${found.id}/archive`} download>
            {t("settings.data.exportDownload")}
          </a>
        )}
        {!isUnderWay && (
          <Button
            isBusy={start.isBusy}
            onClick={() => {
              start.run();
            }}
          >
            {t(isReady ? "settings.data.exportAgain" : "settings.data.exportSubmit")}
          </Button>
        )}
      </div>
    </section>
  );
}

function State({ found }: { readonly found: Export }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const dates = useDates();
  const { status, files, files_done: done, size_bytes: size, expires_at: expires } = found;
  if (status === "queued") return <p>{t("settings.data.exportQueued")}</p>;
  if (status === "running")
    return (
      <>
        <p>{t("settings.data.exporting", { done, files })}</p>
        <progress aria-label={t("settings.data.exportProgress")} value={done} max={files} />
      </>
    );
  if (size === null || expires === null) return null;
  return (
    <p>{t("settings.data.exportReady", { size: inBytes(size, locale), expires: dates.moment(expires) })}</p>
  );
}
