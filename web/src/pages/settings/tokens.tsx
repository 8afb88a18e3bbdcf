import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { makeToken, type Scope } from "../../account/api";
import { devicesQuery, useMe } from "../../account/me";
import { missing } from "../../account/password";
import { Button } from "../../ui/button";
import { CopyField } from "../../ui/copy";
import { Field, Select } from "../../ui/field";
import { Form } from "../../ui/form";
import { Notice } from "../../ui/notice";

const DAYS = ["30", "90", "365"] as const;

/** A key for a program. It is shown this once; the server keeps only its hash. */
export function NewToken() {
  const { t } = useTranslation();
  const [token, setToken] = useState<string | null>(null);
  return (
    <section className="panel stack" aria-labelledby="token-title">
      <h2 id="token-title">{t("tokens.title")}</h2>
      <p className="soft">{t("tokens.text")}</p>
      {token === null ? (
        <TokenForm done={setToken} />
      ) : (
        <>
          <Notice tone="good">{t("tokens.once")}</Notice>
          <CopyField label={t("tokens.token")} value={token} />
          <p>
            <Button
              onClick={() => {
                setToken(null);
              }}
            >
              {t("tokens.kept")}
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
      submit={t("tokens.make")}
      look="plain"
      check={({ name }) => ({ name: missing(name, t) })}
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
        label={t("tokens.name")}
        hint={t("tokens.nameHint")}
        autoComplete="off"
        maxLength={100}
      />
      <div className="pair">
        <Select name="scopes" label={t("tokens.scope")} defaultValue="api">
          {scopes.map((scope) => (
            <option key={scope} value={scope}>
              {t(`tokens.scopes.${scope}`)}
            </option>
          ))}
        </Select>
        <Select name="expires_in_days" label={t("tokens.expires")} defaultValue="90">
          {DAYS.map((days) => (
            <option key={days} value={days}>
              {t("tokens.days", { days })}
            </option>
          ))}
          <option value="">{t("tokens.never")}</option>
        </Select>
      </div>
    </Form>
  );
}
