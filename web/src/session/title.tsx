import { LONGEST_TITLE, Problem } from "@mindhit/client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type RefObject } from "react";
import { useTranslation } from "../i18n/translation";
import { detailQuery, listKey, rename, type Detail, type Summary } from "./api";
import { forgetDraft, keepDraft, recallDraft } from "./title-draft";
import { StatusBadge } from "./status-badge";
import { nameOf } from "./session-name";
import { useKeys } from "../app/shortcuts";
import { useAction } from "../ui/hooks/use-action";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { useDates } from "../ui/time/dates";
import { kindOf } from "../problems/explain";
import { Icon } from "../ui/icons";
import { FailureNotice, Notice } from "../ui/notice";
import styles from "./session.module.css";
import layout from "../ui/styles/layout.module.css";

interface Props {
  readonly session: Summary;
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

export function Title({ session, heading }: Props) {
  const { t } = useTranslation();
  const dates = useDates();
  const [isEditing, setEditing] = useState(() => recallDraft(session.id) !== null);
  const opener = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The field that had the focus is gone.
    if (wasEditing.current && !isEditing) opener.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  useKeys({
    e: () => {
      setEditing(true);
    },
  });
  return (
    <header className={styles["session-head"]}>
      <h1 ref={heading} tabIndex={-1} className={isEditing ? layout["sr-only"] : undefined}>
        <bdi>{nameOf(session, t, dates)}</bdi>
      </h1>
      {isEditing ? (
        <Editing
          session={session}
          close={() => {
            setEditing(false);
          }}
        />
      ) : (
        <>
          <StatusBadge session={session} />
          {session.title_by === "generated" && (
            <span title={t("session.generatedHint")}>
              <Badge>{t("session.generated")}</Badge>
            </span>
          )}
          <Button
            ref={opener}
            look="quiet"
            onClick={() => {
              setEditing(true);
            }}
          >
            <Icon name="pencil" />
            {t("session.rename")}
          </Button>
        </>
      )}
    </header>
  );
}

interface EditingProps {
  readonly session: Summary;
  readonly close: () => void;
}

function Editing({ session, close: closed }: EditingProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [draft] = useState(() => recallDraft(session.id));
  // What it was called when the writing began: whoever named it meanwhile is not overwritten unasked.
  const [before, setBefore] = useState(draft ? draft.before : session.title);
  const [typed, setTyped] = useState(draft?.typed ?? session.title ?? "");
  const [theirs, setTheirs] = useState<{ readonly title: string | null } | null>(null);
  const key = detailQuery(session.id).queryKey;
  const close = () => {
    forgetDraft(session.id);
    closed();
  };
  const save = useAction(
    async (was: string | null) => {
      try {
        return await rename(session.id, typed.trim(), was);
      } catch (error) {
        if (!(error instanceof Problem && kindOf(error) === "title-changed")) throw error;
        const now = await queries.query({ ...detailQuery(session.id), staleTime: 0 });
        setTheirs({ title: now.session.title });
        setBefore(now.session.title);
        return null;
      }
    },
    {
      done: (saved) => {
        if (saved === null) return;
        queries.setQueryData(key, (detail: Detail | undefined) =>
          detail ? { ...detail, session: { ...detail.session, title: saved.title } } : detail,
        );
        void queries.invalidateQueries({ queryKey: listKey });
        close();
      },
    },
  );
  return (
    <form
      className={styles["title-form"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === "" || typed.trim() === before) close();
        else save.run(before);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <input
        aria-label={t("session.title")}
        value={typed}
        maxLength={LONGEST_TITLE}
        autoFocus
        onFocus={(event) => {
          event.currentTarget.select();
        }}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          keepDraft(session.id, { typed: event.currentTarget.value, before });
        }}
      />
      {draft && (
        <p className={layout["soft"]} role="status">
          {t("session.draft")}
        </p>
      )}
      {theirs === null ? (
        <>
          <Button type="submit" look="main" isBusy={save.isBusy}>
            {t("ui.save")}
          </Button>
          <Button onClick={close}>{t("ui.cancel")}</Button>
        </>
      ) : (
        <Notice tone="bad">
          <p>
            {theirs.title === null
              ? t("session.conflictNone")
              : t("session.conflict", { title: theirs.title })}
          </p>
          <div className={layout["button-row"]}>
            <Button type="submit" look="main" isBusy={save.isBusy}>
              {t("session.useMine", { title: typed.trim() })}
            </Button>
            <Button onClick={close}>
              {theirs.title === null
                ? t("session.keepNone")
                : t("session.keepTheirs", { title: theirs.title })}
            </Button>
          </div>
        </Notice>
      )}
      <FailureNotice failure={save.failure} submits />
    </form>
  );
}
