import { LONGEST_NAME } from "@mindhit/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { makeToken, type Scope } from "../account/api";
import { devicesQuery, useMe } from "../account/me";
import { requiredError } from "../ui/forms/field";
import { Button } from "../ui/button";
import { CopyField } from "../ui/forms/copy-field";
import { Field, Select } from "../ui/forms/field";
import { Form } from "../ui/forms/form";
import { Notice } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import forms from "../ui/forms/form.module.css";
import { classes } from "../ui/classes";

const DAYS = ["30", "90", "365"] as const;

/** A key for a program. It is shown this once; the server keeps only its hash. */
export function NewToken() {
  const { t } = useTranslation();
  const [token, setToken] = useState<string | null>(null);
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="token-title">
      <h2 id="token-title">{t("settings.tokens.title")}</h2>
      <p className={layout["soft"]}>{t("settings.tokens.text")}</p>
      {token === null ? (
        <TokenForm done={setToken} />
      ) : (
        <>
          <Notice tone="good">{t("settings.tokens.once")}</Notice>
          <CopyField label={t("settings.tokens.token")} value={token} />
          <p>
            <Button
              onClick={() => {
                setToken(null);
              }}
            >
              {t("settings.tokens.kept")}
            </Button>
          </p>
        </>
      )}
    </section>
  );
}

function TokenForm({ done }: { readonly done: (token: string) => void }) {
  const { t } = useTranslation();
  const { role } = useMe();
  const queries = useQueryClient();
  const scopes: readonly Scope[] = role === "owner" ? ["api", "extension", "admin"] : ["api", "extension"];
  return (
    <Form
      submit={t("settings.tokens.make")}
      look="plain"
      check={({ name }) => ({ name: requiredError(name, t) })}
      send={({ name = "", scopes: scope = "api", expires_in_days: days }) =>
        makeToken({
          name: name.trim(),
          scopes: [scope as Scope],
          expires_in_days: days ? Number(days) : null,
        })
      }
      done={({ token }) => {
        done(token);
        void queries.invalidateQueries({ queryKey: devicesQuery.queryKey });
      }}
    >
      <Field
        name="name"
        label={t("settings.tokens.name")}
        hint={t("settings.tokens.nameHint")}
        autoComplete="off"
        maxLength={LONGEST_NAME}
      />
      <div className={forms["pair"]}>
        <Select name="scopes" label={t("settings.tokens.scope")} defaultValue="api">
          {scopes.map((scope) => (
            <option key={scope} value={scope}>
              {t(`settings.tokens.scopes.${scope}`)}
            </option>
          ))}
        </Select>
        <Select name="expires_in_days" label={t("settings.tokens.expires")} defaultValue="90">
          {DAYS.map((days) => (
            <option key={days} value={days}>
              {t("settings.tokens.days", { days })}
            </option>
          ))}
          <option value="">{t("settings.tokens.never")}</option>
        </Select>
      </div>
    </Form>
  );
}
