/** The standard members of an RFC 9457 problem document, and whatever else the server adds. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly [extra: string]: unknown;
}

/** An answer that is not a success: the server's own problem document, or the status line when a proxy spoke instead. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly document: ProblemDocument;

  constructor(document: ProblemDocument) {
    super(document.detail ?? document.title);
    this.document = document;
  }

  get status(): number {
    return this.document.status;
  }

  get type(): string {
    return this.document.type;
  }

  /** How long to wait before the next try, where the server says so (429, 503). */
  get retryAfterS(): number | undefined {
    const seconds = this.document["retry_after_s"];
    return typeof seconds === "number" ? seconds : undefined;
  }

  static from(response: Response, text: string): Problem {
    const { status, statusText } = response;
    const spoken = response.headers.get("content-type")?.startsWith("application/problem+json")
      ? parse(text)
      : {};
    const title = statusText || `HTTP ${status}`;
    return new Problem({ type: "about:blank", title, ...patience(response), ...spoken, status });
  }
}

/** The header for a document that does not say it; its other form, a date, is not ours. */
function patience(response: Response): object {
  const seconds = response.headers.get("retry-after") ?? "";
  return /^\d+$/.test(seconds) ? { retry_after_s: Number(seconds) } : {};
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
