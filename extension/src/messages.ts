/** What pages of the extension and scripts in pages say to the background. */
import { browser } from "@wxt-dev/browser";
import type { PageMeta } from "./capture/model";
import type { Outcome } from "./outbox/database";

/** From a script in a page: all that it has said and that was not answered, in order. With nothing it asks for its place. */
export interface PageSpeech {
  readonly words: readonly PageMessage[];
}
/** `t` is when it happened there. */
export type PageMessage = { readonly message: string } & PageWord;
export type PageWord =
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

/** The answer to a page's script; when nothing is recorded any more it is to end. */
export interface PageReply {
  readonly ok: true;
  readonly isOn: boolean;
  readonly place: Place;
}

/** Where a page is; its script does not know until it is told. */
export interface Place {
  readonly tabId: number;
  readonly windowId: number;
}

/** Under this prefix and its name a word stands in the local storage until it is stored. */
export const STASH = "word ";
export interface Stashed {
  readonly word: PageMessage;
  readonly place: Place | null;
}

/** To a script in a page. `speak`: answer with what was not answered so far, the listener is a new one. */
export type PageOrder =
  { readonly kind: "moved" } | { readonly kind: "mark" } | { readonly kind: "speak"; readonly place: Place };

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
  /** A recording of this account has ended, and the server does not have all of it. */
  readonly isStopping: boolean;
  /** Events that the server does not have yet. */
  readonly held: number;
  /** Those among them that belong to an account that is not connected now. */
  readonly foreign: number;
  readonly isOffline: boolean;
  readonly outcome: Outcome | null;
  readonly isTight: boolean;
  readonly usage: number;
}

export type Reply =
  { readonly ok: true; readonly status: Status } | { readonly ok: false; readonly reason: string };

export async function ask(request: Request): Promise<Reply> {
  return browser.runtime.sendMessage(request);
}
