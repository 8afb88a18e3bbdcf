/**
 * A title that was typed and is not saved yet. Kept in this tab, so that whoever is sent to sign in meanwhile finds it
 * again; forgotten when it is saved or given up, and when the person signs out.
 */

export interface Draft {
  readonly typed: string;
  /** What the session was called when the writing began. */
  readonly before: string | null;
}

const PREFIX = "mindhit.title.";

export function recallDraft(id: string): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + id) ?? "null") as Draft | null;
  } catch {
    return null;
  }
}

/** Storage may be forbidden, or full; then a title lasts as long as its screen. */
export function keepDraft(id: string, draft: Draft): void {
  try {
    sessionStorage.setItem(PREFIX + id, JSON.stringify(draft));
  } catch {
    // As above.
  }
}

export function forgetDraft(id: string): void {
  try {
    sessionStorage.removeItem(PREFIX + id);
  } catch {
    // As above.
  }
}

export function forgetDrafts(): void {
  try {
    const ids = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of ids) sessionStorage.removeItem(key);
  } catch {
    // As above.
  }
}
