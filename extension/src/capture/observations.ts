/**
 * What the extension observes: the browser's events, reports from content scripts, snapshots of all tabs and alarm ticks.
 * Plain data, so that an observation can be stored until it has been processed.
 */
import type { PageMeta, Presence } from "@mindhit/client";

/** For a report from a page that was closed before it learned which tab it is in. */
export const NO_TAB = -1;

/** A tab as the browser describes it. */
export interface OpenTab {
  readonly id: number;
  readonly windowId: number;
  readonly isActive: boolean;
  readonly isPrivate: boolean;
  readonly url?: string | undefined;
  readonly title?: string | undefined;
}

interface Observed {
  /** When it happened, in milliseconds since 1970. */
  readonly t: number;
}
interface ObservedInTab extends Observed {
  readonly tabId: number;
}

/** All tabs and the focus; `isRestart` if the browser was restarted, which gives every tab a new id. */
export interface Snapshot extends Observed {
  readonly kind: "snapshot";
  readonly tabs: readonly OpenTab[];
  readonly focusedWindowId: number;
  /** Whether the user is active, if known. */
  readonly presence?: { readonly state: Presence; readonly thresholdMs: number } | undefined;
  readonly isRestart: boolean;
}
export interface Created extends ObservedInTab {
  readonly kind: "created";
  readonly windowId: number;
  readonly isPrivate: boolean;
  readonly openerTabId?: number | undefined;
}
export interface Activated extends ObservedInTab {
  readonly kind: "activated";
  readonly windowId: number;
}
/** A document was committed, or (`isSameDocument`) a script changed the URL. */
export interface Committed extends ObservedInTab {
  readonly kind: "committed";
  readonly url: string;
  readonly isSameDocument: boolean;
  readonly transition?: string | undefined;
  readonly qualifiers?: readonly string[] | undefined;
}
/** A tab finished loading, or has a new title. A fallback: the URL is normally known from the commit. */
export interface Updated extends ObservedInTab {
  readonly kind: "updated";
  readonly url?: string | undefined;
  readonly title?: string | undefined;
}
export interface Attached extends ObservedInTab {
  readonly kind: "attached";
  readonly windowId: number;
}
/** One tab replaced another (a prerendered page). */
export interface Replaced extends ObservedInTab {
  readonly kind: "replaced";
  readonly removedTabId: number;
}
export interface Removed extends ObservedInTab {
  readonly kind: "removed";
}
export interface Focused extends Observed {
  readonly kind: "focused";
  readonly windowId: number;
}
export interface IdleChanged extends Observed {
  readonly kind: "idle";
  readonly state: Presence;
  readonly thresholdMs: number;
}
/** A content script repeats a report until it is answered; `reportId` identifies the repetitions. */
interface Reported extends ObservedInTab {
  readonly reportId?: string | undefined;
}
/**
 * A page reports that it has been visible since `t`. A fallback for browser events, which are lost with a worker that is
 * stopped before it has stored them; usually the recorder knows already.
 */
export interface Shown extends Reported {
  readonly kind: "shown";
  readonly windowId: number;
  readonly url: string;
  /** Sent when the script started, not because the page became visible just then. */
  readonly isFirst: boolean;
  /** Whether its tab is active, according to the browser now. */
  readonly isActive: boolean;
  /** Set if it is known that no other tab was activated at about the same time. */
  readonly isSure?: true;
  /** When its document was created. */
  readonly bornAt: number;
}
/** A page reports that a script changed its URL. A fallback, like `Shown`. */
export interface Moved extends Reported {
  readonly kind: "moved";
  readonly url: string;
}
export interface Highlighted extends Reported {
  readonly kind: "highlight";
  readonly url: string;
  readonly text: string;
}
export interface Extracted extends Reported {
  readonly kind: "content";
  readonly url: string;
  readonly content: string;
  readonly extractionOk: boolean;
  readonly meta: PageMeta;
  /** The page was not read, and the server must not fetch it. */
  readonly noFetch?: true | undefined;
}
/** An alarm fired: the browser is awake. */
export interface Tick extends Observed {
  readonly kind: "tick";
}

/** Observations that come from a content script. */
export type Report = Shown | Moved | Highlighted | Extracted;

export type Observation =
  | Snapshot
  | Created
  | Activated
  | Committed
  | Updated
  | Attached
  | Replaced
  | Removed
  | Focused
  | IdleChanged
  | Report
  | Tick;
