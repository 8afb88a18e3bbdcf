/** Reads the page when it has loaded, and again when it has come to rest: after that load, and after each new route. */
import type { PageWord } from "../messages";
import { extract } from "./extract";
import { isSensitive } from "./sensitive";
import { settled } from "./settled";

const AFTER_LOAD = { quietMs: 1_000, mostMs: 5_000 };
const AFTER_MOVE = { quietMs: 500, mostMs: 4_000 };
/** So much has to be new for a text to be worth sending again. */
const NEWS = 1.1;

export class Reader {
  private readonly page: Document;
  private readonly say: (message: PageWord) => void;
  private sent: { url: string; length: number; text: string } | null = null;
  private pending: AbortController | null = null;

  constructor(page: Document, say: (message: PageWord) => void) {
    this.page = page;
    this.say = say;
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
    const address = url.split("#", 1)[0] ?? url;
    const before = this.sent?.url === address ? this.sent : null;
    if (before !== null && (before.text === found.content || found.content.length < before.length * NEWS))
      return;
    this.sent = { url: address, length: found.content.length, text: found.content };
    this.say({ kind: "content", t, url, ...found });
  }

  stop(): void {
    this.pending?.abort();
  }
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
