/**
 * The event protocol: what the recording browser and the server agree on. Generated from
 * `src/mindhit/tracking/protocol.py` by `make openapi`; do not edit.
 */

/** Without input for this long, the person counts as idle; assumed where `thresholdMs` is absent. */
export const IDLE_THRESHOLD_MS = 60_000;

/** A longer gap between two events counts as sleep and belongs to no page. */
export const SILENCE_MS = 180_000;

/** A browser that had nothing to report for this long sends `ALIVE`. */
export const ALIVE_AFTER_MS = 45_000;

/** Events in one batch; the operator can set another limit (`MINDHIT_BATCH_LIMIT`). */
export const BATCH_LIMIT = 200;

/** Bytes of a batch, decompressed. */
export const MAX_BODY_BYTES = 8_388_608;

/** The highest `seq`. */
export const MAX_SEQ = 2_147_483_646;

/** How far `t` may be ahead of the server's clock. */
export const MAX_AHEAD_MS = 86_400_000;

/** The highest `thresholdMs`. */
export const MAX_THRESHOLD_MS = 86_400_000;

/** The highest `tabId`, `windowId` and `openerTabId`. */
export const MAX_TAB_ID = 2_147_483_647;

/** Characters of a page's text that are kept. */
export const MAX_CONTENT = 10_000;

/** Characters of a highlight that are kept. */
export const MAX_HIGHLIGHT = 10_000;

/** Characters of a title that are kept. */
export const MAX_TITLE = 500;

/** Characters of each text in `meta` that are kept; a longer address is dropped. */
export const MAX_META = 2_000;

/** Characters of `meta.language` that are kept. */
export const MAX_LANGUAGE = 35;

/** Characters of a URL that is sent; a page with a longer one is not recorded. */
export const MAX_URL = 8_000;

/** Characters of an icon as a `data:` address; a longer one is dropped. */
export const MAX_ICON = 4_000;

/** Width and height of an icon, in pixels. */
export const MAX_ICON_SIDE = 64;

/** How an icon's address begins: the icon itself, a PNG. */
export const ICON_PREFIX = "data:image/png;base64,";

/** `windowId` when no window of the browser has the focus. */
export const NO_WINDOW = -1;

export type EventType =
  | "TAB_ACTIVATED"
  | "NAV_COMMITTED"
  | "CONTENT_EXTRACTED"
  | "WINDOW_FOCUS_CHANGED"
  | "IDLE_STATE_CHANGED"
  | "HIGHLIGHT"
  | "TAB_REMOVED"
  | "ALIVE";

export type Presence = "active" | "idle" | "locked";

/** The body of a request. */
export interface EventBatch {
  readonly events: readonly SentEvent[];
}

/** An event as a browser sends it. */
export interface SentEvent {
  /** 1, 2, 3 … within a session, without gaps. */
  readonly seq: number;
  /** When it happened: milliseconds since 1970 by the browser's clock. */
  readonly t: number;
  /** What happened. */
  readonly type: EventType;
  /** Needed where the address of the request does not name the session. */
  readonly sessionId?: string | null;
  /** The tab it happened in, by the browser's number. */
  readonly tabId?: number | null;
  /** The window it happened in; -1: none of the browser's. */
  readonly windowId?: number | null;
  /** The page's address, with the fragment where it is a route (`#/…`, `#!…`). Absent: a page that is not recorded. */
  readonly url?: string | null;
  /** What the type says beyond that. */
  readonly payload?: SentPayload | null;
}

/** What an event says beyond its number, time, tab and URL. */
export interface SentPayload {
  /** The page's title. */
  readonly title?: string | null;
  /** The page before it in this tab was only a step on the way here. Sent also where this page is not recorded: then the step is no visit either. */
  readonly redirect?: boolean | null;
  /** How the page was reached, in the browser's own words: `link`, `typed`, `form_submit` …; `forward_back` for the history's buttons, however it was first reached. */
  readonly transition?: string | null;
  /** The tab from which this one was opened. */
  readonly openerTabId?: number | null;
  /** A navigation that was no reload brought a new document. Where the tab had this URL already (a form that posts to its own address) and the title or the text that follows differs, a new visit begins here. */
  readonly newDocument?: boolean | null;
  /** The page's text. */
  readonly content?: string | null;
  /** False where the text could not be extracted. */
  readonly extractionOk?: boolean | null;
  /** What the page says about itself. */
  readonly meta?: PageMeta | null;
  /** The server must not fetch this page: credentials were taken out of its address, or it has fields for a password or a card. */
  readonly noFetch?: boolean | null;
  /** Whether the window has the focus now. */
  readonly focused?: boolean | null;
  /** Whether the person is there. */
  readonly state?: Presence | null;
  /** How long there was no input before `idle` was reported. */
  readonly thresholdMs?: number | null;
  /** The highlighted text. */
  readonly text?: string | null;
  /** Used where the event itself has none. */
  readonly url?: string | null;
  /** Used where the event itself has none. */
  readonly tabId?: number | null;
  /** On the first event after the browser started: earlier tab ids are void. */
  readonly restart?: boolean | null;
}

/** What a page says about itself in its head. */
export interface PageMeta {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly ogImage?: string | null;
  readonly ogTitle?: string | null;
  readonly language?: string | null;
  readonly canonical?: string | null;
  /** The icon itself as a `data:` address, or its address at the site. */
  readonly favicon?: string | null;
}
