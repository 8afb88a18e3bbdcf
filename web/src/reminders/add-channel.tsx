/** A new channel: its kind, then what that kind needs. A webhook's secret is shown this once. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { useMe } from "../account/me";
import { Button } from "../ui/button";
import { CopyField } from "../ui/forms/copy-field";
import { Field, requiredError, Select } from "../ui/forms/field";
import { Form, type Values } from "../ui/forms/form";
import { Notice } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import { addChannel, channelsKey, type Channel, type ChannelKind } from "./api";

interface Known {
  readonly items: readonly Channel[];
  readonly offered: readonly ChannelKind[];
}

const NTFY = "https://ntfy.sh";
const CONFIGS: Record<ChannelKind, readonly string[]> = {
  webpush: [],
  email: [],
  ntfy: ["topic", "server", "token"],
  webhook: ["url"],
  apprise: ["url"],
};

export function AddChannel({ known }: { readonly known: Known }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const kinds = kindsToAdd(known);
  const [chosen, setChosen] = useState<ChannelKind | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [added, setAdded] = useState("");
  const [isOpen, setOpen] = useState(known.items.length === 0);
  const kind = kinds.find((one) => one === chosen) ?? kinds[0];
  if (secret !== null)
    return (
      <div className={layout["stack"]}>
        <Notice tone="good">{t("reminders.channels.secretText")}</Notice>
        <CopyField label={t("reminders.channels.secret")} value={secret} />
        <p>
          <Button
            onClick={() => {
              setSecret(null);
            }}
          >
            {t("reminders.channels.secretKept")}
          </Button>
        </p>
      </div>
    );
  if (kind === undefined) return null;
  if (!isOpen)
    return (
      <p>
        <Button
          onClick={() => {
            setOpen(true);
          }}
        >
          {t("reminders.channels.addAnother")}
        </Button>
      </p>
    );
  return (
    <Form
      label={t("reminders.channels.add")}
      submit={t("reminders.channels.add")}
      look="plain"
      success={added}
      check={(values) => missing(kind, values, t)}
      send={(values) =>
        addChannel(kind, nameOf(values, t(`reminders.channels.kinds.${kind}`)), configOf(kind, values))
      }
      done={(made, form) => {
        form?.reset();
        setAdded(t("reminders.channels.added", { name: made.name }));
        setSecret(made.secret);
        void queries.invalidateQueries({ queryKey: channelsKey });
      }}
    >
      <Select
        name="kind"
        label={t("reminders.channels.kind")}
        value={kind}
        onChange={({ currentTarget: { value } }) => {
          setAdded("");
          setChosen(kinds.find((one) => one === value) ?? null);
        }}
      >
        {kinds.map((one) => (
          <option key={one} value={one}>
            {t(`reminders.channels.kinds.${one}`)}
          </option>
        ))}
      </Select>
      <OfKind key={kind} kind={kind} />
    </Form>
  );
}

function OfKind({ kind }: { readonly kind: ChannelKind }) {
  const { t } = useTranslation();
  const { email } = useMe();
  if (kind === "email")
    return <p className={layout["soft"]}>{t("reminders.channels.emailHint", { email })}</p>;
  const plain = { autoComplete: "off", spellCheck: false } as const;
  return (
    <>
      <Field name="name" label={t("reminders.channels.name")} maxLength={100} autoComplete="off" />
      {kind === "ntfy" && (
        <>
          <Field
            name="topic"
            label={t("reminders.channels.topic")}
            hint={t("reminders.channels.topicHint")}
            {...plain}
          />
          <Field
            name="server"
            label={t("reminders.channels.server")}
            defaultValue={NTFY}
            inputMode="url"
            {...plain}
          />
          <Field name="token" label={t("reminders.channels.token")} {...plain} />
        </>
      )}
      {kind === "webhook" && (
        <Field
          name="url"
          label={t("reminders.channels.url")}
          placeholder="https://example.com/hook"
          inputMode="url"
          {...plain}
        />
      )}
      {kind === "apprise" && (
        <Field
          name="url"
          label={t("reminders.channels.url")}
          hint={t("reminders.channels.appriseHint")}
          {...plain}
        />
      )}
    </>
  );
}

/** Browsers add themselves, and there is one mail channel. */
function kindsToAdd({ items, offered }: Known): readonly ChannelKind[] {
  const hasMail = items.some((channel) => channel.kind === "email");
  return offered.filter((kind) => kind !== "webpush" && !(kind === "email" && hasMail));
}

function missing(kind: ChannelKind, values: Values, t: Parameters<typeof requiredError>[1]) {
  if (kind === "ntfy") return { topic: requiredError(values["topic"], t) };
  return kind === "email" ? {} : { url: requiredError(values["url"], t) };
}

function nameOf(values: Values, otherwise: string): string {
  const typed = values["name"]?.trim() ?? "";
  return typed === "" ? otherwise : typed;
}

function configOf(kind: ChannelKind, values: Values): Record<string, string> {
  const given = CONFIGS[kind].map((name) => [name, values[name]?.trim() ?? ""] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}
