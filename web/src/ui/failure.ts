/** What went wrong, as sentences for a person. */
import { Problem } from "@mindhit/client";
import type { TFunction } from "i18next";
import { en } from "../i18n/en";

export interface Failure {
  readonly text: string;
  readonly wayOut: string | undefined;
  /** Nothing answered: the same may work in a moment. */
  readonly isAway: boolean;
  /** What is wrong with what was sent, by the name of the field. */
  readonly fields: Readonly<Record<string, string>>;
}

type Kind = keyof typeof en.problems;
type Wrong = keyof typeof en.wrongs;

/** The last word of the problem's type: `link-not-valid`. */
export function kindOf(problem: Problem): string {
  return problem.type.split(/[:/]/).at(-1) ?? "";
}

export function explain(error: unknown, t: TFunction): Failure {
  const failure = { wayOut: undefined, isAway: false, fields: {} };
  if (!(error instanceof Problem) || isProxys(error))
    return { ...failure, text: t("failure.away"), isAway: true };
  if (error.status === 429) return { ...failure, text: wait(error, t) };
  const fields = fieldsOf(error.document["errors"], t);
  const kind = error.status === 500 ? "broken" : kindOf(error);
  if (isKind(kind)) return { ...failure, text: t(`problems.${kind}`), fields };
  // A server that is newer than this app: its own words are better than none.
  return { ...failure, text: error.message, wayOut: text(error.document["way_out"]), fields };
}

/** Ours speaks in problem documents; a proxy in front of a server that is gone does not. */
function isProxys(problem: Problem): boolean {
  return problem.type === "about:blank" && problem.status >= 500;
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

/** `/excluded_domains/3` is about the field `excluded_domains`, `query: from` about a part of the address. */
function fieldsOf(errors: unknown, t: TFunction): Record<string, string> {
  const fields: Record<string, string> = {};
  if (!Array.isArray(errors)) return fields;
  for (const { pointer, kind } of errors as { pointer?: unknown; kind?: unknown }[]) {
    const place = text(pointer) ?? "";
    fields[/^\/([^/]+)/.exec(place)?.[1] ?? place] ??= t(`wrongs.${wrongOf(text(kind) ?? "")}`);
  }
  return fields;
}

function wrongOf(kind: string): Wrong {
  return Object.hasOwn(en.wrongs, kind) ? (kind as Wrong) : "other";
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
