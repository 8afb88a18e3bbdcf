/** Which model reads a person's pages: the server's or one of their own, and what that has used. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { TFunction } from "../i18n/translate";
import { useTranslation } from "../i18n/translation";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { Field, requiredError, Select } from "../ui/forms/field";
import { Form } from "../ui/forms/form";
import { useAction } from "../ui/hooks/use-action";
import { FailureNotice, Notice, Trouble, Waiting } from "../ui/notice";
import layout from "../ui/styles/layout.module.css";
import table from "../ui/styles/table.module.css";
import { useDates } from "../ui/time/dates";
import { useNumbers, useOperations } from "../billing/usage-panel";
import {
  chooseProvider,
  providerQuery,
  removeProvider,
  testProvider,
  usageQuery,
  type OwnProvider,
  type ProviderKind,
  type ProviderState,
} from "./model-api";
import { en } from "./en";

const KINDS = ["openai", "claude", "gemini", "compatible"] as const satisfies readonly ProviderKind[];

export function ModelSection() {
  const { data, error, refetch } = useQuery(providerQuery);
  return (
    <>
      {data ? <Provider state={data} /> : error ? <Trouble error={error} retry={refetch} /> : <Waiting />}
      <UsageTable />
    </>
  );
}

function Provider({ state }: { readonly state: ProviderState }) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="provider-title">
      <h2 id="provider-title" ref={heading} tabIndex={-1}>
        {t("settings.model.title")}
      </h2>
      <p className={layout["soft"]}>{readBy(state, t)}</p>
      {state.is_allowed ? (
        <>
          {state.own && <Own own={state.own} leave={() => heading.current?.focus()} />}
          <Choose own={state.own} />
        </>
      ) : (
        <p>{t("settings.model.off")}</p>
      )}
    </section>
  );
}

/** Who gets to see the pages: a person's own provider, alone; else the server's; else nobody. */
function readBy({ is_allowed, own, installation }: ProviderState, t: TFunction): string {
  if (is_allowed && own) return t("settings.model.ownReads");
  if (installation.length === 0) return t("settings.model.builtIn");
  const names = installation.map((kind) => t(`settings.model.kinds.${kind}`)).join(", ");
  return t("settings.model.serverHas", { names });
}

/** What is chosen: tried out, or removed with its key. */
function Own({ own, leave }: { readonly own: OwnProvider; readonly leave: () => void }) {
  const { t } = useTranslation();
  const dates = useDates();
  const queries = useQueryClient();
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: providerQuery.queryKey });
    void queries.invalidateQueries({ queryKey: usageQuery.queryKey });
  };
  const [told, setTold] = useState<{ readonly ok: boolean; readonly text: string } | null>(null);
  const test = useAction(testProvider, {
    done: ({ ok, model, error }) => {
      setTold({
        ok,
        text: ok ? t("settings.model.works", { model }) : t(`settings.model.errors.${reasonOf(error)}`),
      });
      refresh();
    },
  });
  const remove = useAction(removeProvider, {
    done: () => {
      refresh();
      leave(); // the button that had the focus is gone
    },
  });
  return (
    <>
      <p>
        <strong>
          {t(`settings.model.kinds.${own.provider}`)} · <bdi>{own.model}</bdi>
        </strong>
        {own.base_url !== null && (
          <>
            {" · "}
            <bdi>{own.base_url}</bdi>
          </>
        )}
        <br />
        <span className={layout["soft"]}>
          {own.tested_at === null
            ? t("settings.model.untested")
            : t("settings.model.tested", { time: dates.moment(own.tested_at) })}
        </span>
      </p>
      <div className={layout["button-row"]}>
        <Button
          isBusy={test.isBusy}
          onClick={() => {
            setTold(null);
            test.run();
          }}
        >
          {test.isBusy ? t("settings.model.testing") : t("settings.model.test")}
        </Button>
        <Button
          look="danger"
          isBusy={remove.isBusy}
          onClick={() => {
            remove.run();
          }}
        >
          {t("settings.model.remove")}
        </Button>
      </div>
      {told && <Notice tone={told.ok ? "good" : "bad"}>{told.text}</Notice>}
      <FailureNotice failure={test.failure ?? remove.failure} />
    </>
  );
}

type Reason = keyof typeof en.model.errors;

function reasonOf(error: string | null): Reason {
  return error !== null && Object.hasOwn(en.model.errors, error) ? (error as Reason) : "other";
}

function Choose({ own }: { readonly own: OwnProvider | null }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [kind, setKind] = useState<ProviderKind>(own?.provider ?? "openai");
  return (
    <Form
      submit={t("ui.save")}
      success={t("ui.saved")}
      label={own ? t("settings.model.change") : t("settings.model.add")}
      check={({ model, base_url }) => ({
        model: requiredError(model, t),
        base_url: kind === "compatible" ? requiredError(base_url, t) : undefined,
      })}
      send={({ model = "", base_url = "", key = "" }) =>
        chooseProvider({
          provider: kind,
          model,
          base_url: kind === "compatible" ? base_url : null,
          key: key === "" ? null : key,
        })
      }
      done={(state, form) => {
        queries.setQueryData(providerQuery.queryKey, state);
        const field = form?.elements.namedItem("key");
        if (field instanceof HTMLInputElement) field.value = "";
      }}
    >
      <Select
        name="provider"
        label={t("settings.model.provider")}
        value={kind}
        onChange={({ currentTarget: { value } }) => {
          setKind(KINDS.find((each) => each === value) ?? "openai");
        }}
      >
        {KINDS.map((each) => (
          <option key={each} value={each}>
            {t(`settings.model.kinds.${each}`)}
          </option>
        ))}
      </Select>
      <Field
        name="model"
        label={t("settings.model.model")}
        hint={t("settings.model.modelHint")}
        defaultValue={own?.model}
        autoComplete="off"
        spellCheck={false}
      />
      {kind === "compatible" && (
        <Field
          name="base_url"
          label={t("settings.model.address")}
          hint={t("settings.model.addressHint")}
          defaultValue={own?.base_url ?? ""}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <Field
        name="key"
        type="password"
        label={t("settings.model.key")}
        hint={own?.has_key ? t("settings.model.keyKept") : t("settings.model.keyHint")}
        autoComplete="off"
      />
    </Form>
  );
}

function UsageTable() {
  const { t } = useTranslation();
  const dates = useDates();
  const { data, error, refetch } = useQuery(usageQuery);
  const numbers = useNumbers();
  const operationName = useOperations();
  return (
    <section className={classes(layout["panel"], layout["stack"])} aria-labelledby="usage-title">
      <h2 id="usage-title">{t("settings.model.used")}</h2>
      {data ? (
        <>
          <p className={layout["soft"]}>{t("settings.model.since", { time: dates.day(data.since) })}</p>
          {data.items.length === 0 ? (
            <p className={layout["empty"]}>{t("settings.model.nothingUsed")}</p>
          ) : (
            <div className={table["scroller"]} tabIndex={0} role="group" aria-labelledby="usage-title">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t("settings.model.model")}</th>
                    <th scope="col">{t("settings.model.operation")}</th>
                    <th scope="col">{t("settings.model.calls")}</th>
                    <th scope="col">{t("settings.model.tokens")}</th>
                  </tr>
                </thead>
                <tbody>
                  {data.items.map((item) => (
                    <tr key={`${item.provider} ${item.ai_model} ${item.operation} ${item.payer}`}>
                      <th scope="row">
                        <bdi>{item.ai_model}</bdi>
                      </th>
                      <td>{operationName(item.operation)}</td>
                      <td>{numbers(item.calls)}</td>
                      <td>{numbers(item.tokens)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </>
      ) : error ? (
        <Trouble error={error} retry={refetch} />
      ) : (
        <Waiting />
      )}
    </section>
  );
}
