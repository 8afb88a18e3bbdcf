import { useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { useMe } from "../account/me";
import { useAction } from "../ui/hooks/use-action";
import { Button } from "../ui/button";
import { Check, FieldFrame } from "../ui/forms/field";
import { Form } from "../ui/forms/form";
import { FailureNotice } from "../ui/notice";
import { readDomains } from "./excluded-domains";
import { RetentionPanel } from "./retention";
import { useChangeDomains, useChoices } from "./use-settings";
import layout from "../ui/styles/layout.module.css";
import styles from "./settings.module.css";
import { classes } from "../ui/classes";

/** Domains that are never recorded, where every change is kept at once; what the server may fetch; how long all is kept. */
export function PrivacySection() {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <>
      <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="excluded-title">
        <h2 id="excluded-title" ref={heading} tabIndex={-1}>
          {t("settings.privacy.title")}
        </h2>
        <p className={layout["soft"]}>{t("settings.privacy.text")}</p>
        <AddDomains />
        <DomainList leave={() => heading.current?.focus()} />
      </section>
      <ServerFetch />
      <RetentionPanel />
    </>
  );
}

/** Whether the server may fetch pages whose text the browser could not read. */
function ServerFetch() {
  const { t } = useTranslation();
  const { shown, choose, save } = useChoices();
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="fetching-title">
      <h2 id="fetching-title">{t("settings.fetching.title")}</h2>
      <Form submit={t("ui.save")} success={t("ui.saved")} send={save}>
        <Check
          name="server_fetch"
          label={t("settings.fetching.allow")}
          hint={t("settings.fetching.text")}
          checked={shown.server_fetch}
          onChange={({ currentTarget: { checked } }) => {
            choose({ server_fetch: checked });
          }}
        />
      </Form>
    </section>
  );
}

function AddDomains() {
  const { t } = useTranslation();
  const { settings } = useMe();
  const change = useChangeDomains();
  const [added, setAdded] = useState("");
  return (
    <Form
      submit={t("settings.privacy.add")}
      success={added}
      check={({ excluded_domains: typed = "" }) => {
        const { domains, rejected } = readDomains(typed);
        if (rejected.length > 0)
          return {
            excluded_domains: t("settings.privacy.notDomains", { words: rejected.slice(0, 5).join(", ") }),
          };
        return { excluded_domains: domains.length === 0 ? t("ui.form.required") : undefined };
      }}
      send={async ({ excluded_domains: typed = "" }) => {
        const { domains } = readDomains(typed);
        await change({ add: domains }); // known ones too: they may have been removed elsewhere
        return domains.filter((domain) => !settings.excluded_domains.includes(domain));
      }}
      done={(news, form) => {
        setAdded(
          news.length > 0
            ? t("settings.privacy.added", { domains: news.join(", ") })
            : t("settings.privacy.already"),
        );
        form?.reset();
      }}
    >
      <FieldFrame
        name="excluded_domains"
        label={t("settings.privacy.field")}
        hint={t("settings.privacy.hint")}
      >
        {(ties) => (
          <textarea {...ties} rows={2} autoCapitalize="none" spellCheck={false} placeholder="bank.example" />
        )}
      </FieldFrame>
    </Form>
  );
}

function DomainList({ leave }: { readonly leave: () => void }) {
  const { t } = useTranslation();
  const { settings } = useMe();
  const change = useChangeDomains();
  const [removed, setRemoved] = useState("");
  const remove = useAction((domain: string) => change({ remove: [domain] }), {
    done: (_, domain) => {
      setRemoved(t("settings.privacy.removed", { domain }));
      leave(); // the button that had the focus is gone
    },
  });
  return (
    <>
      <p className={layout["sr-only"]} role="status">
        {removed}
      </p>
      <FailureNotice failure={remove.failure} />
      {settings.excluded_domains.length === 0 && (
        <p className={layout["empty"]}>{t("settings.privacy.none")}</p>
      )}
      <ul className={styles["chips"]} aria-label={t("settings.privacy.title")}>
        {settings.excluded_domains.map((domain) => (
          <li key={domain}>
            <span>{domain}</span>
            <Button
              look="quiet"
              isBusy={remove.isBusy}
              aria-label={t("settings.privacy.remove", { domain })}
              onClick={() => {
                remove.run(domain);
              }}
            >
              <span aria-hidden="true">×</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
