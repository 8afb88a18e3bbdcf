import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { erase, getExport } from "../../account/api";
import { become, useMe } from "../../account/me";
import { missing } from "../../account/password";
import { navigate } from "../../router";
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
