/** For tests: the server, as far as `fetch` shows it. */
import type { SentEvent } from "@mindhit/client";

export class FakeHttpServer {
  isUnreachable = false;
  /** It has deleted the session. */
  isDeleted = false;
  /** The domains that the account excludes. */
  excluded: readonly string[] = [];
  readonly events: SentEvent[] = [];
  readonly requests: string[] = [];
  endedAt: number | null = null;

  readonly fetch = async (url: string, { method = "GET", body, headers }: RequestInit): Promise<Response> => {
    if (this.isUnreachable) throw new TypeError("unreachable");
    const { pathname } = new URL(url);
    const [, , , id, verb] = pathname.split(/[/:]/);
    this.requests.push(`${method} ${pathname.replace(/[0-9a-f-]{36}/, "ID")}`);
    return this.answer(method, verb, id, await decode(new Blob([(body ?? "{}") as BlobPart]), headers));
  };

  private answer(method: string, verb: string | undefined, id: string | undefined, body: Body): Response {
    if (method === "DELETE") return new Response(null, { status: 204 });
    if (method === "GET") return Response.json({ settings: { excluded_domains: this.excluded } });
    if (this.isDeleted) return problem(409, "session-deleted");
    if (verb === "events") {
      for (const event of body.events ?? []) this.events[event.seq - 1] = event;
      return Response.json({ ackedSeq: this.events.length, missing: [] });
    }
    this.endedAt = body.ended_at ?? this.endedAt;
    return Response.json({ session_id: body.session_id ?? id });
  }
}

function problem(status: number, name: string): Response {
  const headers = { "content-type": "application/problem+json" };
  return new Response(JSON.stringify({ type: `urn:mindhit:problem:${name}` }), { status, headers });
}

interface Body {
  readonly session_id?: string;
  readonly ended_at?: number;
  readonly events?: readonly SentEvent[];
}

async function decode(body: Blob, headers: RequestInit["headers"]): Promise<Body> {
  const isGzipped = new Headers(headers).has("content-encoding");
  const stream = isGzipped ? body.stream().pipeThrough(new DecompressionStream("gzip")) : body.stream();
  return (await new Response(stream).json()) as Body;
}
