import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMe } from "../../account/me";
import { useAction } from "../../ui/action";
import { Button } from "../../ui/button";
import { FieldFrame } from "../../ui/field";
import { Form } from "../../ui/form";
import { FailureNotice } from "../../ui/notice";
import { readDomains } from "./domains";
import { useChangeDomains } from "./saving";

/** Domains that are never recorded. Every change is kept at once. */
export function PrivacySection() {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className="panel stack" aria-labelledby="excluded-title">
      <h2 id="excluded-title" ref={heading} tabIndex={-1}>
        {t("privacy.title")}
      </h2>
      <p className="soft">{t("privacy.text")}</p>
      <AddDomains />
      <DomainList leave={() => heading.current?.focus()} />
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
      submit={t("privacy.add")}
      success={added}
      check={({ excluded_domains: typed = "" }) => {
        const { domains, rejected } = readDomains(typed);
        if (rejected.length > 0)
          return { excluded_domains: t("privacy.notDomains", { words: rejected.slice(0, 5).join(", ") }) };
        return { excluded_domains: domains.length === 0 ? t("checks.missing") : undefined };
      }}
      send={async ({ excluded_domains: typed = "" }) => {
        const { domains } = readDomains(typed);
        await change({ add: domains }); // known ones too: they may have been removed elsewhere
        return domains.filter((domain) => !settings.excluded_domains.includes(domain));
      }}
      done={(news, form) => {
        setAdded(news.length > 0 ? t("privacy.added", { domains: news.join(", ") }) : t("privacy.already"));
        form?.reset();
      }}
    >
      <FieldFrame name="excluded_domains" label={t("privacy.field")} hint={t("privacy.hint")}>
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
      setRemoved(t("privacy.removed", { domain }));
      leave(); // the button that had the focus is gone
    },
  });
  return (
    <>
      <p className="sr-only" role="status">
        {removed}
      </p>
      <FailureNotice failure={remove.failure} />
      {settings.excluded_domains.length === 0 && <p className="empty">{t("privacy.none")}</p>}
      <ul className="chips" aria-label={t("privacy.title")}>
        {settings.excluded_domains.map((domain) => (
          <li key={domain}>
            <span>{domain}</span>
            <Button
              look="quiet"
              isBusy={remove.isBusy}
              aria-label={t("privacy.remove", { domain })}
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
