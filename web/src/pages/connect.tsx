/** An extension asks to be connected: compare the code that both show, and decide. */
import "./connect.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { decideConnection, getConnection } from "../account/api";
import { codeOf } from "../account/code";
import { devicesQuery } from "../account/me";
import { useToken } from "../account/token";
import { Link } from "../router";
import { useAction } from "../ui/action";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { explain } from "../ui/failure";
import { Form } from "../ui/form";
import { FailureNotice, Waiting } from "../ui/notice";
import { NarrowScreen } from "../ui/screen";
import { Moment } from "../ui/time";

type Decision = "approve" | "deny";

export default function ConnectPage() {
  const { t } = useTranslation();
  const given = codeOf(useToken());
  const [typed, setTyped] = useState("");
  const [decision, setDecision] = useState<Decision | null>(null);
  const code = typed || given;
  return (
    <NarrowScreen title={t("connect.title")} lead={decision === null ? t("connect.lead") : undefined}>
      {decision !== null && <Decided decision={decision} />}
      {decision === null && code !== "" && (
        <Asking key={code} code={code} decide={setDecision} retype={setTyped} />
      )}
      {decision === null && code === "" && (
        <div className="panel">
          <CodeForm done={setTyped} />
        </div>
      )}
    </NarrowScreen>
  );
}

function CodeForm({ done }: { readonly done: (code: string) => void }) {
  const { t } = useTranslation();
  return (
    <Form
      submit={t("connect.look")}
      check={({ code }) => ({ code: codeOf(code) === "" ? t("connect.notACode") : undefined })}
      send={({ code }) => Promise.resolve(codeOf(code))}
      done={done}
    >
      <Field
        name="code"
        label={t("connect.code")}
        hint={t("connect.codeHint")}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={20}
        autoFocus
      />
    </Form>
  );
}

interface AskingProps {
  readonly code: string;
  readonly decide: (decision: Decision) => void;
  readonly retype: (code: string) => void;
}

function Asking({ code, decide, retype }: AskingProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ["mine", "connection", code],
    queryFn: ({ signal }) => getConnection(code, signal),
    staleTime: Infinity,
  });
  const action = useAction((decision: Decision) => decideConnection(code, decision), {
    done: (_, decision) => {
      decide(decision);
      void queries.invalidateQueries({ queryKey: devicesQuery.queryKey });
    },
  });
  if (error) {
    const failure = explain(error, t);
    return (
      <div className="panel stack">
        <FailureNotice failure={failure} retry={failure.isAway ? () => void refetch() : undefined} />
        <CodeForm done={retype} />
      </div>
    );
  }
  if (!data) return <Waiting />;
  return (
    <section className="panel stack" aria-label={t("connect.asks", { name: data.name })}>
      <p>{t("connect.asks", { name: data.name })}</p>
      <p className="code" aria-label={t("connect.code")}>
        {data.user_code}
      </p>
      <p>{t("connect.compare")}</p>
      <dl className="list">
        <dt>{t("connect.from")}</dt>
        <dd>{data.address ?? t("common.unknown")}</dd>
        <dt>{t("connect.at")}</dt>
        <dd>
          <Moment at={data.created_at} />
        </dd>
      </dl>
      <FailureNotice failure={action.failure} />
      <div className="form-end">
        <Button
          look="main"
          isBusy={action.isBusy}
          onClick={() => {
            action.run("approve");
          }}
        >
          {t("connect.approve")}
        </Button>
        <Button
          isBusy={action.isBusy}
          onClick={() => {
            action.run("deny");
          }}
        >
          {t("connect.deny")}
        </Button>
      </div>
    </section>
  );
}

function Decided({ decision }: { readonly decision: Decision }) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.focus(); // the buttons that had it are gone
  }, []);
  return (
    <div
      ref={place}
      tabIndex={-1}
      role="status"
      className="notice"
      data-tone={decision === "approve" ? "good" : "note"}
    >
      <h2>{t(`connect.${decision}Title`)}</h2>
      <p>{t(`connect.${decision}Text`)}</p>
      <p>
        <Link to="/">{t("connect.overview")}</Link>
      </p>
    </div>
  );
}
