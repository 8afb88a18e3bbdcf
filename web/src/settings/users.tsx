import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { addPerson, type Invitation } from "../account/api";
import { EmailField, emailError } from "../account/email-field";
import { peopleQuery } from "../account/me";
import { Badge } from "../ui/badge";
import { classes } from "../ui/classes";
import { CopyField } from "../ui/forms/copy-field";
import { Form } from "../ui/forms/form";
import { MoreButton } from "../ui/more-button";
import { Notice, Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import list from "../ui/styles/list.module.css";
import { Moment } from "../ui/time/moment";

export function Users() {
  const { t } = useTranslation();
  const people = useInfiniteQuery(peopleQuery);
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="people-title">
      <h2 id="people-title">{t("settings.server.people")}</h2>
      {people.isPending && <Waiting />}
      {people.error && <Trouble error={people.error} retry={people.refetch} />}
      <ul className={list["rows"]}>
        {people.data?.map(({ id, email, role, verified, created_at, last_seen_at }) => (
          <li key={id} className={list["row"]}>
            <div className={list["row-words"]}>
              <p className={list["row-name"]}>
                {email}
                {role === "owner" && <Badge>{t("settings.server.owner")}</Badge>}
                {!verified && <Badge tone="warn">{t("settings.security.unverified")}</Badge>}
              </p>
              <p className={list["row-note"]}>
                {t("settings.server.since")} <Moment at={created_at} />
                {" · "}
                {last_seen_at ? (
                  <>
                    {t("settings.devices.seen")} <Moment at={last_seen_at} />
                  </>
                ) : (
                  t("settings.devices.neverSeen")
                )}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <MoreButton list={people} />
      <AddUser />
    </section>
  );
}

function AddUser() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [added, setAdded] = useState<(Invitation & { readonly email: string }) | null>(null);
  return (
    <>
      <Form
        label={t("settings.server.add")}
        submit={t("settings.server.addSubmit")}
        check={({ email }) => ({ email: emailError(email, t) })}
        send={async ({ email = "" }) => ({ ...(await addPerson(email.trim())), email: email.trim() })}
        done={(invitation, form) => {
          setAdded(invitation);
          form?.reset();
          void queries.invalidateQueries({ queryKey: ["mine"] });
        }}
      >
        <EmailField autoComplete="off" hint={t("settings.server.addHint")} />
      </Form>
      {added && (
        <Notice tone="good">
          <p>
            {t(added.mailed ? "settings.server.mailed" : "settings.server.passOn", { email: added.email })}
          </p>
          <CopyField label={t("settings.server.link")} value={added.link} />
          <p className={list["row-note"]}>
            {t("settings.server.linkUntil")} <Moment at={added.expires_at} />
          </p>
        </Notice>
      )}
    </>
  );
}
