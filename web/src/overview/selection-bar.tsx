/** What can be done with the selected sessions. Loaded when the first one is selected. */
import { useEffect } from "react";
import { useTranslation } from "../i18n/translation";
import { Link } from "../app/router";
import { getFile, type Format } from "../session/api";
import { useRemoveSessions } from "../session/remove";
import { MOST_TOGETHER, togetherAddress } from "../together/together-address";
import { Button, buttonClass } from "../ui/button";
import { saveFile } from "../ui/download";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice } from "../ui/notice";
import { joinFiles, type SessionFile } from "./join-files";
import type { Selecting } from "./use-selecting";
import styles from "./selection-bar.module.css";

const FORMATS = ["md", "json", "csv"] as const satisfies readonly Format[];

export default function SelectionBar({ selecting }: { readonly selecting: Selecting }) {
  const { t } = useTranslation();
  const remove = useRemoveSessions();
  const { ids } = selecting;
  const take = useAction(
    async (format: Format) => {
      const files: SessionFile[] = [];
      for (const id of ids) files.push({ session: id, text: await (await getFile(id, format)).body.text() });
      return { format, text: joinFiles(format, files) };
    },
    {
      done: ({ format, text }) => {
        saveFile(new Blob([text]), `mindhit-sessions.${format}`);
      },
    },
  );
  // The bar pushes the list down; whoever selects by keys stays with the session they are at.
  useEffect(() => {
    document.activeElement?.closest("[data-session]")?.scrollIntoView({ block: "nearest" });
  }, []);
  const isNone = ids.length === 0;
  const canMerge = ids.length > 1 && ids.length <= MOST_TOGETHER;
  return (
    <div className={styles["bar"]} role="group" aria-label={t("overview.select.label")}>
      <strong role="status">{t("overview.select.count", { count: ids.length })}</strong>
      <Button look="quiet" onClick={selecting.all}>
        {t("overview.select.all")}
      </Button>
      {canMerge ? (
        <Link className={buttonClass("plain")} to={togetherAddress(ids)}>
          {t("overview.select.together")}
        </Link>
      ) : (
        <Button isDisabled title={t("overview.select.togetherHint", { count: MOST_TOGETHER })}>
          {t("overview.select.together")}
        </Button>
      )}
      <span className={styles["formats"]} role="group" aria-label={t("session.export")}>
        <span aria-hidden="true">{t("session.export")}</span>
        {FORMATS.map((format) => (
          <Button
            key={format}
            isBusy={take.isBusy}
            isDisabled={isNone}
            onClick={() => {
              take.run(format);
            }}
          >
            {t(`session.formats.${format}`)}
          </Button>
        ))}
      </span>
      <Button
        look="danger"
        isDisabled={isNone}
        onClick={() => {
          remove(ids);
          selecting.stop();
        }}
      >
        {t("session.delete")}
      </Button>
      <FailureNotice failure={take.failure} />
    </div>
  );
}
