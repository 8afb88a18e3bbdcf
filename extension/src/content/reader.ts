/**
 * Reads the page when it has loaded, and again when it has come to rest: after that load, and after each new route. An icon
 * that has come by then goes along; nobody waits for it, since a page that is left meanwhile would be lost.
 */
import type { PageWord } from "../messages";
import { isSamePage } from "./address";
import { extract } from "./extract";
import { isSensitive } from "./sensitive";
import { settled } from "./settled";

const AFTER_LOAD = { quietMs: 1_000, mostMs: 5_000 };
const AFTER_MOVE = { quietMs: 500, mostMs: 4_000 };
/** So much has to be new for a text to be worth sending again. */
const NEWS = 1.1;

type Reading = Extract<PageWord, { kind: "content" }>;

export class Reader {
  private readonly page: Document;
  private readonly say: (message: PageWord) => void;
  private sent: Reading | null = null;
  private icon: string | undefined;
  private pending: AbortController | null = null;

  constructor(
    page: Document,
    say: (message: PageWord) => void,
    icon: Promise<string | undefined> = Promise.resolve(undefined),
  ) {
    this.page = page;
    this.say = say;
    void icon.then((drawn) => {
      this.icon = drawn;
    });
  }

  async start(): Promise<void> {
    if (this.page.readyState !== "complete")
      await new Promise((resolve) => {
        this.page.defaultView?.addEventListener("load", resolve, { once: true });
      });
    await idle();
    this.read();
    await this.again(AFTER_LOAD);
  }

  /** A script has changed the address; what belongs to it comes in its own time. */
  moved(): Promise<void> {
    return this.again(AFTER_MOVE);
  }

  private async again(patience: typeof AFTER_LOAD): Promise<void> {
    this.pending?.abort();
    const mine = (this.pending = new AbortController());
    await settled(this.page, patience, mine.signal);
    if (mine.signal.aborted) return;
    await idle();
    this.read();
  }

  private read(): void {
    const t = Date.now();
    const url = this.page.location.href;
    if (isSensitive(this.page)) return;
    const found = extract(this.page, url);
    const before = this.sent !== null && isSamePage(this.sent.url, url) ? this.sent : null;
    if (before === null || isNews(found.content, before.content))
      this.tell({ kind: "content", t, url, ...found });
    else if (before.extractionOk && this.icon !== undefined && this.icon !== before.meta.favicon)
      this.tell({ ...before, t }); // the same words, with the icon that they went without
  }

  private tell(reading: Reading): void {
    const { icon } = this;
    this.sent = icon === undefined ? reading : { ...reading, meta: { ...reading.meta, favicon: icon } };
    this.say(this.sent);
  }

  stop(): void {
    this.pending?.abort();
  }
}

function isNews(text: string, before: string): boolean {
  return text !== before && text.length >= before.length * NEWS;
}

/** When the page has nothing better to do. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === "function")
      requestIdleCallback(
        () => {
          resolve();
        },
        { timeout: 1_000 },
      );
    else setTimeout(resolve, 0);
  });
}
