/** Messages between the background, the content scripts and the extension's own pages. */
import { browser } from "@wxt-dev/browser";
import type { PageMeta } from "@mindhit/client";
import type { Outcome } from "./outbox/database";

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
  | { readonly ask: "discard" }
  | { readonly ask: "connect"; readonly server: string }
  | { readonly ask: "disconnect" }
  | { readonly ask: "delete-local" }
  | { readonly ask: "permitted" };

export interface Status {
  readonly account: { readonly server: string; readonly email: string; readonly isSignedOut: boolean } | null;
  readonly connecting: { readonly userCode: string; readonly url: string } | null;
  readonly isPermitted: boolean;
  readonly recording: {
    readonly startedAt: number;
    readonly lastAt: number;
    readonly pages: number;
    readonly highlights: number;
    readonly isInterrupted: boolean;
  } | null;
  /** A recording of this account has ended, and the server doesn't have all of it yet. */
  readonly isStopping: boolean;
  /** Events the server doesn't have yet. */
  readonly unsent: number;
  /** How many of them belong to an account that isn't connected now. */
  readonly unsentElsewhere: number;
  readonly isOffline: boolean;
  readonly outcome: Outcome | null;
  readonly isStorageLow: boolean;
  /** Bytes. */
  readonly storageUsed: number;
}

export type Reply =
  { readonly ok: true; readonly status: Status } | { readonly ok: false; readonly reason: string };

export async function ask(request: Request): Promise<Reply> {
  return browser.runtime.sendMessage(request);
}
