/** For tests: the server, as far as `fetch` shows it. */
import type { SentEvent } from "@mindhit/client";

export class FakeHttpServer {
  isUnreachable = false;
  /** It has deleted the session. */
  isDeleted = false;
  /** The domains that the account excludes. */
  excluded: readonly string[] = [];
  language = "en";
  timezone = "UTC";
  /** A domain that it doesn't accept. */
  refusedDomain = "";
  /** What it was asked to forget. */
  readonly forgotten: object[] = [];
  /** Pages saved to the library. */
  readonly saved: Body[] = [];
  /** What was highlighted, by address; and what it was asked about. */
  highlighted: Readonly<Record<string, readonly string[]>> = {};
  readonly lookedUp: string[] = [];
  /** What it suggests, whatever is searched for. */
  suggestions: readonly object[] = [];
  /** Pages that are to come back. */
  readonly reminded: Body[] = [];
  /** What its inbox has, newest first; `readIds`: what was marked as read. */
  notices: readonly object[] = [];
  quietSince: string | null = null;
  readonly readIds: string[] = [];
  readonly events: SentEvent[] = [];
  readonly requests: string[] = [];
  endedAt: number | null = null;
  /** Sessions that run elsewhere, of a plan that allows no other. Stopping one makes room. */
  running: object[] = [];

  readonly fetch = async (url: string, { method = "GET", body, headers }: RequestInit): Promise<Response> => {
    if (this.isUnreachable) throw new TypeError("unreachable");
    const { pathname } = new URL(url);
    const [, , , id, verb] = pathname.split(/[/:]/);
    this.requests.push(`${method} ${pathname.replace(/[0-9a-f-]{36}/, "ID")}`);
    const decoded = await decode(new Blob([(body ?? "{}") as BlobPart]), headers);
    if (pathname === "/v1/search/suggestions") {
      return Response.json({ suggestions: this.suggestions });
    }
    if (pathname === "/v1/notices")
      return Response.json({
        items: this.notices,
        unread: this.notices.length,
        quiet_since: this.quietSince,
      });
    if (pathname.startsWith("/v1/notices/")) {
      this.readIds.push(id ?? "");
      return Response.json({});
    }
    if (method === "PATCH") return this.changeDomains(decoded);
    if (pathname === "/v1/forget") {
      this.forgotten.push(decoded);
      return Response.json({ id: "one", is_done: true });
    }
    if (pathname === "/v1/highlights/lookup") {
      const { address = "" } = decoded;
      this.lookedUp.push(address);
      return Response.json({ texts: this.highlighted[address] ?? [] });
    }
    if (pathname === "/v1/reminders") {
      this.reminded.push(decoded);
      return Response.json({ page_id: "saved" }, { status: 201 });
    }
    if (pathname === "/v1/pages") {
      this.saved.push(decoded);
      return Response.json({ id: "saved" }, { status: 201 });
    }
    return this.answer(method, verb, id, decoded);
  };

  private changeDomains({ add = [], remove = [] }: Body): Response {
    if (add.includes(this.refusedDomain)) return problem(422, "bad-setting");
    this.excluded = [...new Set([...this.excluded, ...add])].filter((each) => !remove.includes(each)).sort();
    return Response.json(this.settings);
  }

  private get settings() {
    return { excluded_domains: this.excluded, language: this.language, timezone: this.timezone };
  }

  private answer(method: string, verb: string | undefined, id: string | undefined, body: Body): Response {
    if (method === "DELETE") return new Response(null, { status: 204 });
    if (method === "GET") return Response.json({ settings: this.settings });
    if (this.isDeleted) return problem(409, "session-deleted");
    if (verb === "stop" && this.running.length > 0) {
      this.running = [];
      return Response.json({ session_id: id });
    }
    if (id === "start" && this.running.length > 0)
      return problem(409, "session-limit", { running: this.running });
    if (verb === "events") {
      for (const event of body.events ?? []) this.events[event.seq - 1] = event;
      return Response.json({ ackedSeq: this.events.length, missing: [] });
    }
    this.endedAt = body.ended_at ?? this.endedAt;
    return Response.json({ session_id: body.session_id ?? id });
  }
}

function problem(status: number, name: string, more: object = {}): Response {
  const headers = { "content-type": "application/problem+json" };
  return new Response(JSON.stringify({ type: `urn:mindhit:problem:${name}`, ...more }), { status, headers });
}

interface Body {
  address?: string;
  title?: string;
  readonly session_id?: string;
  readonly ended_at?: number;
  readonly events?: readonly SentEvent[];
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

async function decode(body: Blob, headers: RequestInit["headers"]): Promise<Body> {
  const isGzipped = new Headers(headers).has("content-encoding");
  const stream = isGzipped ? body.stream().pipeThrough(new DecompressionStream("gzip")) : body.stream();
  return (await new Response(stream).json()) as Body;
}
