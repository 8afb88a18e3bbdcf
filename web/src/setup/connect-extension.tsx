/** An extension asks to be connected: compare the code that both show, and decide. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { decideConnection, getConnection } from "../account/api";
import { codeOf } from "./connection-code";
import { devicesQuery } from "../account/me";
import { useToken } from "../account/link-token";
import { Link } from "../app/router";
import { useAction } from "../ui/hooks/use-action";
import { Button } from "../ui/button";
import { Field } from "../ui/forms/field";
import { explain } from "../problems/explain";
import { Form } from "../ui/forms/form";
import { FailureNotice, Waiting } from "../ui/notice";
import { NarrowScreen } from "../app/screen";
import { Moment } from "../ui/time/moment";
import layout from "../ui/styles/layout.module.css";
import styles from "./connect-extension.module.css";
import notice from "../ui/notice.module.css";
import { classes } from "../ui/classes";

type Decision = "approve" | "deny";

export default function ConnectExtensionScreen() {
  const { t } = useTranslation();
  const given = codeOf(useToken());
  const [typed, setTyped] = useState("");
  const [decision, setDecision] = useState<Decision | null>(null);
  const code = typed || given;
  return (
    <NarrowScreen
      title={t("setup.connect.title")}
      lead={decision === null ? t("setup.connect.lead") : undefined}
    >
      {decision !== null && <Decided decision={decision} />}
      {decision === null && code !== "" && (
        <Asking key={code} code={code} decide={setDecision} retype={setTyped} />
      )}
      {decision === null && code === "" && (
        <div className={layout["panel"]}>
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
      submit={t("setup.connect.submit")}
      check={({ code }) => ({ code: codeOf(code) === "" ? t("setup.connect.notACode") : undefined })}
      send={({ code }) => Promise.resolve(codeOf(code))}
      done={done}
    >
      <Field
        name="code"
        label={t("setup.connect.code")}
        hint={t("setup.connect.codeHint")}
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
      <div className={classes(layout["panel"], layout["stack"])}>
        <FailureNotice failure={failure} retry={failure.isUnreachable ? () => void refetch() : undefined} />
        <CodeForm done={retype} />
      </div>
    );
  }
  if (!data) return <Waiting />;
  return (
    <section
      className={classes(layout["panel"], layout["stack"])}
      aria-label={t("setup.connect.asks", { name: data.name })}
    >
      <p>{t("setup.connect.asks", { name: data.name })}</p>
      <p className={styles["code"]} aria-label={t("setup.connect.code")}>
        {data.user_code}
      </p>
      <p>{t("setup.connect.compare")}</p>
      <dl className={styles["request"]}>
        <dt>{t("setup.connect.from")}</dt>
        <dd>{data.address ?? t("ui.unknown")}</dd>
        <dt>{t("setup.connect.at")}</dt>
        <dd>
          <Moment at={data.created_at} />
        </dd>
      </dl>
      <FailureNotice failure={action.failure} />
      <div className={layout["button-row"]}>
        <Button
          look="main"
          isBusy={action.isBusy}
          onClick={() => {
            action.run("approve");
          }}
        >
          {t("setup.connect.approve")}
        </Button>
        <Button
          isBusy={action.isBusy}
          onClick={() => {
            action.run("deny");
          }}
        >
          {t("setup.connect.deny")}
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
      className={notice["notice"]}
      data-tone={decision === "approve" ? "good" : "note"}
    >
      <h2>{t(`setup.connect.${decision}Title`)}</h2>
      <p>{t(`setup.connect.${decision}Text`)}</p>
      <p>
        <Link to="/">{t("setup.connect.overview")}</Link>
      </p>
    </div>
  );
}
