import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "../i18n/translation";
import { dropMail, type UnsentMail } from "../account/api";
import { mailsQuery } from "../account/me";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { useAction } from "../ui/hooks/use-action";
import { MoreButton } from "../ui/more-button";
import { FailureNotice, Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { Moment } from "../ui/time/moment";
import styles from "./settings.module.css";

export function UnsentMails() {
  const { t } = useTranslation();
  const mails = useInfiniteQuery(mailsQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="mails-title">
      <h2 id="mails-title" ref={heading} tabIndex={-1}>
        {t("settings.server.mails")}
      </h2>
      <p className={layout["soft"]}>{t("settings.server.mailsText")}</p>
      {mails.isPending && <Waiting />}
      {mails.error && <Trouble error={mails.error} retry={mails.refetch} />}
      {mails.data?.length === 0 && <p className={layout["empty"]}>{t("settings.server.noMails")}</p>}
      <ul className={list["rows"]}>
        {mails.data?.map((mail) => (
          <Mail key={mail.id} mail={mail} dropped={() => heading.current?.focus()} />
        ))}
      </ul>
      <MoreButton list={mails} />
    </section>
  );
}

function Mail({ mail, dropped }: { readonly mail: UnsentMail; readonly dropped: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const drop = useAction(() => dropMail(mail.id), {
    done: () => {
      dropped();
      void queries.invalidateQueries({ queryKey: mailsQuery.queryKey });
    },
  });
  return (
    <li className={list["row"]}>
      <div className={list["row-words"]}>
        <p className={list["row-name"]}>{mail.subject}</p>
        <p className={list["row-note"]}>
          {t("settings.server.to", { recipient: mail.recipient })} · <Moment at={mail.created_at} />
        </p>
        <details>
          <summary>{t("settings.server.read")}</summary>
          <pre className={styles["mail"]} tabIndex={0}>
            {mail.text}
          </pre>
        </details>
        <FailureNotice failure={drop.failure} />
      </div>
      <Button
        isBusy={drop.isBusy}
        aria-label={t("settings.server.dropName", { subject: mail.subject, recipient: mail.recipient })}
        onClick={() => {
          drop.run();
        }}
      >
        {t("settings.server.drop")}
      </Button>
    </li>
  );
}
