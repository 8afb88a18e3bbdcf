/** Messages between the background, the content scripts and the extension's own pages. */
import { browser } from "@wxt-dev/browser";
import type { PageMeta } from "@mindhit/client";
import type { Pause, PauseLength } from "./automatic/pauses";
import type { Outcome, Refusal, SessionName } from "./outbox/database";
import type { Forgettable, KnownPage } from "./outbox/http";

/** From a content script. `t` is when it happened there. */
export type PageReport =
  | {
      readonly kind: "shown";
      readonly t: number;
      readonly url: string;
      readonly bornAt: number;
      readonly isFirst: boolean;
    }
  | { readonly kind: "moved"; readonly t: number; readonly url: string }
  | {
      readonly kind: "content";
      readonly t: number;
      readonly url: string;
      readonly content: string;
      readonly extractionOk: boolean;
      readonly meta: PageMeta;
      /** The page was not read, and the server must not fetch it. */
      readonly noFetch?: true;
    }
  | { readonly kind: "highlight"; readonly t: number; readonly url: string; readonly text: string };
export type NumberedReport = PageReport & { readonly reportId: string };

/** All reports that have not been answered yet, in order. Without any, the script asks which tab it is in. */
export interface PageReports {
  readonly reports: readonly NumberedReport[];
}

/** The answer to a content script, once its reports are stored. If nothing is being recorded any more, the script ends. */
export interface PageReply {
  readonly ok: true;
  readonly isRecording: boolean;
  readonly tab: TabRef;
}

/** From a content script that paints what was highlighted on its page before. */
export interface HighlightsWanted {
  readonly wants: "highlights";
  readonly url: string;
}

export interface HighlightsReply {
  readonly texts: readonly string[];
}

/** The answer to `highlight`: whether there was text to highlight. */
export interface HighlightReply {
  readonly isHighlighted: boolean;
}

/** The tab a page is in; its content script doesn't know until it is told. */
export interface TabRef {
  readonly tabId: number;
  readonly windowId: number;
}

/** To a content script. `report`: a new worker asks for all unanswered reports. */
export type PageCommand =
  | { readonly kind: "url-changed" }
  | { readonly kind: "highlight" }
  | { readonly kind: "report"; readonly tab: TabRef };

/** From the popup, the options and the setup page. */
export type Request =
  | { readonly ask: "status" }
  | { readonly ask: "start" }
  | { readonly ask: "stop" }
  /** Stop a session that runs elsewhere, and start one here. */
  | { readonly ask: "replace"; readonly session: string }
  | { readonly ask: "discard" }
  | { readonly ask: "connect"; readonly server: string }
  | { readonly ask: "disconnect" }
  | { readonly ask: "delete-local" }
  | { readonly ask: "permitted" }
  | { readonly ask: "pause"; readonly length: PauseLength }
  | { readonly ask: "resume" }
  | { readonly ask: "sync" }
  | { readonly ask: "highlight" }
  | { readonly ask: "save" }
  | { readonly ask: "remind" }
  | { readonly ask: "look-up"; readonly address: string }
  | { readonly ask: "exclude"; readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly ask: "forget"; readonly what: Forgettable };

export interface Status {
  readonly account: { readonly server: string; readonly email: string; readonly isSignedOut: boolean } | null;
  readonly connecting: { readonly userCode: string; readonly url: string } | null;
  readonly isPermitted: boolean;
  readonly recording: {
    /** Its page in the web app. */
    readonly link: string;
    readonly startedAt: number;
    readonly lastAt: number;
    readonly pages: number;
    readonly highlights: number;
    readonly isInterrupted: boolean;
    /** It began by itself, and will end by itself. */
    readonly isByItself: boolean;
    readonly name: SessionName | null;
  } | null;
  /** Sessions begin by themselves. */
  readonly isAutomatic: boolean;
  /** The user has stopped a session: none begins by itself until the user was away. */
  readonly isHeld: boolean;
  /** Nothing is recorded at present. */
  readonly pause: Pause | null;
  /** A recording of this account has ended, and the server doesn't have all of it yet. */
  readonly isStopping: boolean;
  /** Events the server doesn't have yet. */
  readonly unsent: number;
  /** How many of them belong to an account that isn't connected now. */
  readonly unsentElsewhere: number;
  /** Saved pages that the server doesn't have yet. */
  readonly unsentPages: number;
  readonly isOffline: boolean;
  /** Why a server that answers takes no events at present. */
  readonly refusal: Refusal | null;
  readonly outcome: Outcome | null;
  readonly isStorageLow: boolean;
  /** Bytes. */
  readonly storageUsed: number;
}

/** `unreachable`: it needs the server. `nothing-selected`: there was no text to highlight. `not-web`: only web pages can be
 * saved. `not-connected`: there is no account to save to. */
export type Refused = "unreachable" | "nothing-selected" | "not-web" | "not-connected";

export type Reply =
  | { readonly ok: true; readonly status: Status; readonly known?: KnownPage | null }
  | { readonly ok: false; readonly reason: string; readonly refused?: Refused };

export async function ask(request: Request): Promise<Reply> {
  return browser.runtime.sendMessage(request);
}
