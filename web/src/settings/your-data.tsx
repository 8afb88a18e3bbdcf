import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../i18n/translation";
import { erase } from "../account/api";
import { become, useMe } from "../account/me";
import { requiredError } from "../ui/forms/field";
import { navigate } from "../app/router";
import { demoQuery } from "../setup/api";
import { DemoSessions } from "../setup/demo-sessions";
import { ForgetSection } from "../forget/forget-section";
import { forgetDrafts } from "../session/title-draft";
import { EmailField } from "../account/email-field";
import { PasswordField } from "../account/password-field";
import { Form } from "../ui/forms/form";
import layout from "../ui/styles/layout.module.css";
import { ExportSection } from "./export-section";
import styles from "./settings.module.css";
import { classes } from "../ui/classes";

export function DataSection() {
  return (
    <>
      <ExportSection />
      <ForgetSection />
      <LoadedDemo />
      <Erase />
    </>
  );
}

/** Only if the demo was loaded. */
function LoadedDemo() {
  const { t } = useTranslation();
  const { data } = useQuery(demoQuery);
  return data && data.there > 0 ? <DemoSessions title={t("setup.demo.title")} /> : null;
}

function Erase() {
  const { t } = useTranslation();
  const { email, has_password } = useMe();
  const queries = useQueryClient();
  return (
    <section
      className={classes(layout["panel"], layout["stack"], styles["danger-zone"])}
      aria-labelledby="erase-title"
    >
      <h2 id="erase-title">{t("settings.data.erase")}</h2>
      <p className={layout["soft"]}>{t("settings.data.eraseText")}</p>
      <Form
        submit={t("settings.data.eraseSubmit")}
        look="danger"
        check={({ email: typed, password }) => ({
          email:
            typed?.trim().toLowerCase() === email.toLowerCase()
              ? undefined
              : t("settings.data.notTheAddress", { email }),
          password: has_password ? requiredError(password, t) : undefined,
        })}
        send={({ email: typed = "", password }) => erase({ email: typed.trim(), password: password ?? null })}
        done={() => {
          forgetDrafts();
          become(queries, null);
          navigate("/sign-in", { replace: true, flash: "erased" });
        }}
      >
        <EmailField label={t("settings.data.typeAddress")} hint={email} autoComplete="off" />
        {has_password && <PasswordField label={t("account.fields.currentPassword")} />}
      </Form>
    </section>
  );
}
