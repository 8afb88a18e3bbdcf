/**
 * What the reducer speaks of: happenings of the browser, what is known of its tabs, and events as the server takes them.
 * All of it is plain data, so that it can be kept in a database between any two lives of the service worker.
 */
import type { paths } from "@mindhit/client";

type BatchBody =
  paths["/v1/sessions/{session_id}/events:batch"]["post"]["requestBody"]["content"]["application/json"];
/** An event as it is sent. */
export type WireEvent = BatchBody["events"][number];
/** An event before it has its number. */
export type Captured = Omit<WireEvent, "seq" | "sessionId">;
export type Payload = NonNullable<WireEvent["payload"]>;
export type PageMeta = NonNullable<Payload["meta"]>;
export type Presence = "active" | "idle" | "locked";

export const NO_WINDOW = -1;
/** Of a page that was gone before it heard which tab it is in. */
export const NO_TAB = -1;

/** Which pages may be spoken of. */
export interface Rules {
  /** Domains that are never recorded, with their subdomains. */
  readonly excluded: readonly string[];
  /** Only these domains are recorded, with their subdomains; null: all of them. */
  readonly only: readonly string[] | null;
}

/** A tab as the browser describes it. */
export interface OpenTab {
  readonly id: number;
  readonly windowId: number;
  readonly isActive: boolean;
  readonly isPrivate: boolean;
  readonly url?: string | undefined;
  readonly title?: string | undefined;
}

interface At {
  /** When it happened, in milliseconds since 1970. */
  readonly t: number;
}
interface OfTab extends At {
  readonly tabId: number;
}

/** All tabs and the focus, as they are; `isRestart` when the browser, and with it every tab id, is new. */
export interface Survey extends At {
  readonly kind: "survey";
  readonly tabs: readonly OpenTab[];
  readonly focusedWindowId: number;
  /** Whether the reader is there, where that is known. */
  readonly presence?: { readonly state: Presence; readonly thresholdMs: number } | undefined;
  readonly isRestart: boolean;
}
export interface Created extends OfTab {
  readonly kind: "created";
  readonly windowId: number;
  readonly isPrivate: boolean;
  readonly openerTabId?: number | undefined;
}
export interface Activated extends OfTab {
  readonly kind: "activated";
  readonly windowId: number;
}
/** A document was committed, or (`isSameDocument`) a script has changed its address. */
export interface Committed extends OfTab {
  readonly kind: "committed";
  readonly url: string;
  readonly isSameDocument: boolean;
  readonly transition?: string | undefined;
  readonly qualifiers?: readonly string[] | undefined;
}
/** A tab has finished loading, or has a new title. A net: the address is known from its commit. */
export interface Settled extends OfTab {
  readonly kind: "settled";
  readonly url?: string | undefined;
  readonly title?: string | undefined;
}
export interface Attached extends OfTab {
  readonly kind: "attached";
  readonly windowId: number;
}
/** One tab took another's place (a page that was rendered in advance). */
export interface Replaced extends OfTab {
  readonly kind: "replaced";
  readonly removedTabId: number;
}
export interface Removed extends OfTab {
  readonly kind: "removed";
}
export interface Focused extends At {
  readonly kind: "focused";
  readonly windowId: number;
}
export interface IdleChanged extends At {
  readonly kind: "idle";
  readonly state: Presence;
  readonly thresholdMs: number;
}
/** What a page's script says comes until it is heard; `message` tells a repetition. */
interface Said extends OfTab {
  readonly message?: string | undefined;
}
/**
 * A page says that it is in front, since `t`. A net below the browser's events, which are lost with a worker that is
 * stopped before it has stored them; usually it is known.
 */
export interface Shown extends Said {
  readonly kind: "shown";
  readonly windowId: number;
  readonly url: string;
  /** Said when its script began, and not because it came to the front just then. */
  readonly isFirst: boolean;
  /** Whether its tab is in front, as the browser has it now. */
  readonly isActive: boolean;
  /** Whether it is known that no other tab came to the front at about the same time. */
  readonly isSure?: true;
  /** When its document was there. */
  readonly bornAt: number;
}
/** A page says that a script has changed its address. A net, as `Shown` is. */
export interface Moved extends Said {
  readonly kind: "moved";
  readonly url: string;
}
export interface Highlighted extends Said {
  readonly kind: "highlight";
  readonly url: string;
  readonly text: string;
}
export interface Extracted extends Said {
  readonly kind: "content";
  readonly url: string;
  readonly content: string;
  readonly extractionOk: boolean;
  readonly meta: PageMeta;
}
/** An alarm went off: the browser is awake. */
export interface Tick extends At {
  readonly kind: "tick";
}

export type Happening =
  | Survey
  | Created
  | Activated
  | Committed
  | Settled
  | Attached
  | Replaced
  | Removed
  | Focused
  | IdleChanged
  | Shown
  | Moved
  | Highlighted
  | Extracted
  | Tick;

/** What is known of a tab. `url` is what may be said of its page: null where nothing may. */
export interface KnownTab {
  readonly windowId: number;
  readonly url: string | null;
  readonly title?: string;
  readonly isPrivate?: true;
  /** Since when it has its address; a page that sends its reader on within moments was a step. */
  readonly committedAt?: number;
  /** The tab it was opened from, until that is told. */
  readonly openerTabId?: number;
  /** When the browser brought it to the front, until its page has said the same. */
  readonly broughtAt?: number;
  /** The last highlight, so that a script that was put into the page anew does not repeat it. */
  readonly highlight?: string;
}

export interface CaptureState {
  readonly tabs: Readonly<Record<number, KnownTab>>;
  /** The active tab of each window. */
  readonly active: Readonly<Record<number, number>>;
  /** When a tab came to the front last, in any window. */
  readonly frontAt: number;
  /** null until it is known. */
  readonly focusedWindowId: number | null;
  readonly presence: Presence;
  /** When the last event happened. */
  readonly lastAt: number | null;
  /** The last word of each of the scripts that spoke last. */
  readonly heard: readonly string[];
}

export const NOTHING_KNOWN: CaptureState = {
  tabs: {},
  active: {},
  frontAt: 0,
  focusedWindowId: null,
  presence: "active",
  lastAt: null,
  heard: [],
};

export interface Reduced {
  readonly state: CaptureState;
  readonly events: readonly Captured[];
}
