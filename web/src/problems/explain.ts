/** What went wrong, as sentences for a person. */
import { Problem } from "@mindhit/client";
import type { TFunction } from "../i18n/translate";
import { en } from "./en";

export interface Failure {
  readonly text: string;
  readonly wayOut: string | undefined;
  /** Nothing answered: the same may work in a moment. */
  readonly isUnreachable: boolean;
  /** What is wrong with what was sent, by the name of the field. */
  readonly fields: Readonly<Record<string, string>>;
}

type Kind = keyof typeof en.types;
type Wrong = keyof typeof en.fields;

/** The last word of the problem's type: `link-not-valid`. */
export function kindOf(problem: Problem): string {
  return problem.type.split(/[:/]/).at(-1) ?? "";
}

export function explain(error: unknown, t: TFunction): Failure {
  const failure = { wayOut: undefined, isUnreachable: false, fields: {} };
  if (!(error instanceof Problem) || isFromProxy(error))
    return { ...failure, text: t("problems.unreachable"), isUnreachable: true };
  const fields = fieldsOf(error.document["errors"], t);
  const kind = error.status === 500 ? "broken" : kindOf(error);
  if (kind === "too-many-attempts") return { ...failure, text: wait(error, "attempts", t) };
  if (isKind(kind)) return { ...failure, text: t(`problems.types.${kind}`), fields };
  if (error.status === 429) return { ...failure, text: wait(error, "requests", t) };
  // A server that is newer than this app: its own words are better than none.
  return { ...failure, text: error.message, wayOut: text(error.document["way_out"]), fields };
}

/** Ours speaks in problem documents; a proxy in front of a server that is gone does not. */
function isFromProxy(problem: Problem): boolean {
  return problem.type === "about:blank" && problem.status >= 500;
}

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(en.types, kind);
}

function wait(problem: Problem, what: "attempts" | "requests", t: TFunction): string {
  const seconds = problem.retryAfterS;
  if (seconds === undefined) return t(`problems.${what}.soon`);
  return seconds < 120
    ? t(`problems.${what}.seconds`, { seconds })
    : t(`problems.${what}.minutes`, { minutes: Math.ceil(seconds / 60) });
}

/** `/excluded_domains/3` is about the field `excluded_domains`, `query: from` about a part of the address. */
function fieldsOf(errors: unknown, t: TFunction): Record<string, string> {
  const fields: Record<string, string> = {};
  if (!Array.isArray(errors)) return fields;
  for (const { pointer, kind } of errors as { pointer?: unknown; kind?: unknown }[]) {
    const place = text(pointer) ?? "";
    fields[/^\/([^/]+)/.exec(place)?.[1] ?? place] ??= t(`problems.fields.${wrongOf(text(kind) ?? "")}`);
  }
  return fields;
}

function wrongOf(kind: string): Wrong {
  return Object.hasOwn(en.fields, kind) ? (kind as Wrong) : "other";
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
