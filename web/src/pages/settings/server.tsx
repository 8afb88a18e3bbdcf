import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { addPerson, dropMail, type Invitation, type UnsentMail } from "../../account/api";
import { mailsQuery, peopleQuery } from "../../account/me";
import { emailWrong } from "../../account/password";
import { useAction } from "../../ui/action";
import { Button } from "../../ui/button";
import { CopyField } from "../../ui/copy";
import { EmailField } from "../../ui/field";
import { Form } from "../../ui/form";
import { FailureNotice, Notice, Trouble, Waiting } from "../../ui/notice";
import { Moment } from "../../ui/time";

/** For the owner: who is on this server, and what it could not send. */
export function ServerSection() {
  return (
    <>
      <People />
      <Mails />
    </>
  );
}

function People() {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(peopleQuery);
  return (
    <section className="panel stack" aria-labelledby="people-title">
      <h2 id="people-title">{t("server.people")}</h2>
      {isPending && <Waiting />}
      {error && <Trouble error={error} retry={refetch} />}
      <ul className="rows">
        {data?.items.map(({ id, email, role, verified, created_at, last_seen_at }) => (
          <li key={id} className="row">
            <div className="row-words">
              <p className="row-name">
                {email}
                {role === "owner" && <span className="badge">{t("server.owner")}</span>}
                {!verified && (
                  <span className="badge" data-tone="warn">
                    {t("security.unverified")}
                  </span>
                )}
              </p>
              <p className="row-note">
                {t("server.since")} <Moment at={created_at} />
                {" · "}
                {last_seen_at ? (
                  <>
                    {t("devices.seen")} <Moment at={last_seen_at} />
                  </>
                ) : (
                  t("devices.neverSeen")
                )}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <AddPerson />
    </section>
  );
}

function AddPerson() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [added, setAdded] = useState<(Invitation & { readonly email: string }) | null>(null);
  return (
    <>
      <Form
        label={t("server.add")}
        submit={t("server.addSubmit")}
        check={({ email }) => ({ email: emailWrong(email, t) })}
        send={async ({ email = "" }) => ({ ...(await addPerson(email.trim())), email: email.trim() })}
        done={(invitation, form) => {
          setAdded(invitation);
          form?.reset();
          void queries.invalidateQueries({ queryKey: ["mine"] });
        }}
      >
        <EmailField autoComplete="off" hint={t("server.addHint")} />
      </Form>
      {added && (
        <Notice tone="good">
          <p>{t(added.mailed ? "server.mailed" : "server.passOn", { email: added.email })}</p>
          <CopyField label={t("server.link")} value={added.link} />
          <p className="row-note">
            {t("server.linkUntil")} <Moment at={added.expires_at} />
          </p>
        </Notice>
      )}
    </>
  );
}

function Mails() {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(mailsQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className="panel stack" aria-labelledby="mails-title">
      <h2 id="mails-title" ref={heading} tabIndex={-1}>
        {t("server.mails")}
      </h2>
      <p className="soft">{t("server.mailsText")}</p>
      {isPending && <Waiting />}
      {error && <Trouble error={error} retry={refetch} />}
      {data?.items.length === 0 && <p className="empty">{t("server.noMails")}</p>}
      <ul className="rows">
        {data?.items.map((mail) => (
          <Mail key={mail.id} mail={mail} dropped={() => heading.current?.focus()} />
        ))}
      </ul>
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
    <li className="row">
      <div className="row-words">
        <p className="row-name">{mail.subject}</p>
        <p className="row-note">
          {t("server.to", { recipient: mail.recipient })} · <Moment at={mail.created_at} />
        </p>
        <details>
          <summary>{t("server.read")}</summary>
          <pre className="mail" tabIndex={0}>
            {mail.text}
          </pre>
        </details>
        <FailureNotice failure={drop.failure} />
      </div>
      <Button
        isBusy={drop.isBusy}
        aria-label={t("server.dropName", { subject: mail.subject, recipient: mail.recipient })}
        onClick={() => {
          drop.run();
        }}
      >
        {t("server.drop")}
      </Button>
    </li>
  );
}
