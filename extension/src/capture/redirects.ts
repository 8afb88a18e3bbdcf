/** When a page counts as a redirect's intermediate step instead of as a visit. */
import type { Committed } from "./observations";
import type { KnownTab } from "./state";

/** A page that sends the user on by itself within this time after its commit was only a step. */
export const REDIRECT_WITHIN_MS = 2_000;

/**
 * Whether the page before was only a step on the way to this one. A redirect by the server never commits its steps, so
 * there is nothing to replace. A route change within a document is no redirect, though Chromium repeats for each of them
 * how the document itself was reached.
 */
export function isRedirect(
  before: KnownTab | undefined,
  { t, isSameDocument, qualifiers }: Committed,
): boolean {
  if (isSameDocument || before?.committedAt === undefined || before.url === null) return false;
  return qualifiers?.includes("client_redirect") === true && t - before.committedAt <= REDIRECT_WITHIN_MS;
}
