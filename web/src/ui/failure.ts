/** What went wrong, as sentences for a person. */
import { Problem } from "@mindhit/client";
import type { TFunction } from "i18next";
import { en } from "../i18n/en";

export interface Failure {
  readonly text: string;
  readonly wayOut: string | undefined;
  /** Nothing answered: the same may work in a moment. */
  readonly isAway: boolean;
  /** By the name of the field. */
  readonly fields: Readonly<Record<string, string>>;
}

type Kind = keyof typeof en.problems;

/** The last word of the problem's type: `link-not-valid`. */
export function kindOf(problem: Problem): string {
  return problem.type.split(/[:/]/).at(-1) ?? "";
}

export function explain(error: unknown, t: TFunction): Failure {
  const failure = { wayOut: undefined, isAway: false, fields: {} };
  if (!(error instanceof Problem) || isProxys(error))
    return { ...failure, text: t("failure.away"), isAway: true };
  if (error.status === 429) return { ...failure, text: wait(error, t) };
  return {
    ...failure,
    text: said(error, t),
    wayOut: text(error.document["way_out"]),
    fields: fieldsOf(error.document["errors"]),
  };
}

/** Ours speaks in problem documents; a proxy in front of a server that is gone does not. */
function isProxys(problem: Problem): boolean {
  return problem.type === "about:blank" && problem.status >= 500;
}

/** What we can say in the person's language, else the server's own words. */
function said(problem: Problem, t: TFunction): string {
  const kind = kindOf(problem);
  return isKind(kind) ? t(`problems.${kind}`) : problem.message;
}

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(en.problems, kind);
}

function wait(problem: Problem, t: TFunction): string {
  const seconds = problem.retryAfterS;
  if (seconds === undefined) return t("failure.tooMany");
  return seconds < 120
    ? t("failure.tooManySeconds", { seconds })
    : t("failure.tooManyMinutes", { minutes: Math.ceil(seconds / 60) });
}

/** `/excluded_domains/3` is about the field `excluded_domains`. */
function fieldsOf(errors: unknown): Record<string, string> {
  const fields: Record<string, string> = {};
  if (!Array.isArray(errors)) return fields;
  for (const { pointer, detail } of errors as { pointer?: unknown; detail?: unknown }[]) {
    const name = /^\/([^/]+)/.exec(text(pointer) ?? "")?.[1];
    if (name !== undefined) fields[name] ??= text(detail) ?? "";
  }
  return fields;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
