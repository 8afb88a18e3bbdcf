/**
 * When the page's text is extracted: once it has loaded, again when its DOM is quiet, after each new route, and when the
 * user goes back to a page that the browser has kept. An icon that
 * is ready by then is sent along; nothing waits for it, since a page that is left meanwhile would be lost.
 */
import type { PageReport } from "../messages";
import { type QuietLimits, untilQuiet } from "./dom-quiet";
import { extract } from "./extract";
import { isSamePage } from "./same-page";
import { isSensitive } from "./sensitive-pages";

const AFTER_LOAD: QuietLimits = { quietMs: 1_000, atMostMs: 5_000 };
const AFTER_ROUTE: QuietLimits = { quietMs: 500, atMostMs: 4_000 };
/** A changed text is sent again only if it has grown by this factor. */
const RESEND_GROWTH = 1.1;
/** How long to wait for the page to be idle. */
const IDLE_TIMEOUT_MS = 1_000;

type ContentReport = Extract<PageReport, { kind: "content" }>;

export class ExtractSchedule {
  private readonly page: Document;
  private readonly report: (report: PageReport) => void;
  private sent: ContentReport | null = null;
  /** The last page that was not read. */
  private refused: string | null = null;
  private icon: string | undefined;
  private pending: AbortController | null = null;

  constructor(
    page: Document,
    report: (report: PageReport) => void,
    icon: Promise<string | undefined> = Promise.resolve(undefined),
  ) {
    this.page = page;
    this.report = report;
    void icon.then((drawn) => {
      this.icon = drawn;
    });
  }

  async start(): Promise<void> {
    if (this.page.readyState !== "complete")
      await new Promise((resolve) => {
        this.page.defaultView?.addEventListener("load", resolve, { once: true });
      });
    await pageIdle();
    this.extract();
    await this.extractWhenQuiet(AFTER_LOAD);
  }

  /** A script changed the URL; the new route's content comes a little later. */
  urlChanged(): Promise<void> {
    return this.extractWhenQuiet(AFTER_ROUTE);
  }

  /** The browser kept the page and shows it again: what was read of it belongs to this visit too. */
  restored(): void {
    this.sent = this.refused = null;
    this.extract();
  }

  private async extractWhenQuiet(limits: QuietLimits): Promise<void> {
    this.pending?.abort();
    const mine = (this.pending = new AbortController());
    await untilQuiet(this.page, limits, mine.signal);
    if (mine.signal.aborted) return;
    await pageIdle();
    this.extract();
  }

  private extract(): void {
    const t = Date.now();
    const url = this.page.location.href;
    if (isSensitive(this.page)) {
      this.refuse(t, url);
      return;
    }
    const extracted = extract(this.page, url);
    const before = this.sent !== null && isSamePage(this.sent.url, url) ? this.sent : null;
    if (before === null || isWorthResending(extracted.content, before.content))
      this.send({ kind: "content", t, url, ...extracted });
    else if (before.extractionOk && this.icon !== undefined && this.icon !== before.meta.favicon)
      this.send({ ...before, t }); // the same text, now with the icon
  }

  /** A page that is never read: the server must not fetch it either. */
  private refuse(t: number, url: string): void {
    if (this.refused !== null && isSamePage(this.refused, url)) return;
    this.refused = url;
    this.report({ kind: "content", t, url, content: "", extractionOk: false, meta: {}, noFetch: true });
  }

  private send(report: ContentReport): void {
    const { icon } = this;
    this.sent = icon === undefined ? report : { ...report, meta: { ...report.meta, favicon: icon } };
    this.report(this.sent);
  }

  stop(): void {
    this.pending?.abort();
  }
}

function isWorthResending(text: string, before: string): boolean {
  return text !== before && text.length >= before.length * RESEND_GROWTH;
}

function pageIdle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === "function")
      requestIdleCallback(
        () => {
          resolve();
        },
        { timeout: IDLE_TIMEOUT_MS },
      );
    else setTimeout(resolve, 0);
  });
}
