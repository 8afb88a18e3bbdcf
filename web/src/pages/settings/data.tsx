import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { erase, getExport } from "../../account/api";
import { become, useMe } from "../../account/me";
import { missing } from "../../account/password";
import { navigate } from "../../router";
import { demoQuery } from "../../sessions/api";
import { Demo } from "../../sessions/demo";
import { forgetDrafts } from "../../sessions/draft";
import { useAction } from "../../ui/action";
import { Button } from "../../ui/button";
import { EmailField, PasswordField } from "../../ui/field";
import { Form } from "../../ui/form";
import { offer } from "../../ui/file";
import { FailureNotice } from "../../ui/notice";

export function DataSection() {
  return (
    <>
      <Export />
      <DemoThere />
      <Erase />
    </>
  );
}

function Export() {
  const { t } = useTranslation();
  const fetchAll = useAction(getExport, {
    done: (zip) => {
      offer(zip, "mindhit-export.zip");
    },
  });
  return (
    <section className="panel stack" aria-labelledby="export-title">
      <h2 id="export-title">{t("data.export")}</h2>
      <p className="soft">{t("data.exportText")}</p>
      <FailureNotice failure={fetchAll.failure} />
      <div className="form-end">
        <Button
          isBusy={fetchAll.isBusy}
          onClick={() => {
            fetchAll.run();
          }}
        >
          {t("data.exportSubmit")}
        </Button>
        <p className="form-success" role="status">
          {fetchAll.isBusy ? t("data.exporting") : fetchAll.isDone ? t("data.exported") : null}
        </p>
      </div>
    </section>
  );
}

/** Only where it was loaded: who came without it is not asked to. */
function DemoThere() {
  const { t } = useTranslation();
  const { data } = useQuery(demoQuery);
  return data && data.there > 0 ? <Demo title={t("data.demo")} /> : null;
}

function Erase() {
  const { t } = useTranslation();
  const { email, has_password } = useMe();
  const queries = useQueryClient();
  return (
    <section className="panel stack danger-zone" aria-labelledby="erase-title">
      <h2 id="erase-title">{t("data.erase")}</h2>
      <p className="soft">{t("data.eraseText")}</p>
      <Form
        submit={t("data.eraseSubmit")}
        look="danger"
        check={({ email: typed, password }) => ({
          email:
            typed?.trim().toLowerCase() === email.toLowerCase()
              ? undefined
              : t("data.notTheAddress", { email }),
          password: has_password ? missing(password, t) : undefined,
        })}
        send={({ email: typed = "", password }) => erase({ email: typed.trim(), password: password ?? null })}
        done={() => {
          forgetDrafts();
          become(queries, null);
          navigate("/sign-in", { replace: true, flash: "erased" });
        }}
      >
        <EmailField label={t("data.typeAddress")} hint={email} autoComplete="off" />
        {has_password && <PasswordField label={t("fields.currentPassword")} />}
      </Form>
    </section>
  );
}
