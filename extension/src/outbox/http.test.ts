import { beforeEach, expect, test, vi } from "vitest";
import { type Account, TokenRefresher } from "./account";
import { HttpServer, refreshTokens } from "./http";

const RECEIPT = { ackedSeq: 2, accepted: 2, duplicates: 0, rejected: [], missing: [] };
let account: Account | null;
let answers: Response[];
let asked: { address: string; init: RequestInit }[];
let server: HttpServer;
let clock: number;

beforeEach(() => {
  clock = 0;
  account = {
    server: "http://server",
    userId: "someone",
    email: "a@b",
    access: "one",
    refresh: "r1",
    expiresAt: 3_600_000,
    isRefreshing: false,
    isSignedOut: false,
  };
  answers = [];
  asked = [];
  vi.stubGlobal("fetch", (address: string, init: RequestInit) => {
    asked.push({ address, init });
    const answer = answers.shift();
    return answer ? Promise.resolve(answer) : Promise.reject(new TypeError("Failed to fetch"));
  });
  const store = {
    get: () => Promise.resolve(account),
    set: (changed: Account) => {
      account = changed;
      return Promise.resolve();
    },
  };
  server = new HttpServer(new TokenRefresher(store, refreshTokens, () => clock));
});

const problem = (status: number, kind: string) =>
  Response.json(
    { type: `urn:mindhit:problem:${kind}` },
    { status, headers: { "content-type": "application/problem+json" } },
  );
const tokens = (access: string) =>
  Response.json({ access_token: access, refresh_token: "r2", expires_in_s: 3600 });
const send = (text = "x") => server.send("id", [{ seq: 1, t: 1, type: "HIGHLIGHT", payload: { text } }]);
const headersOf = (index: number) => new Headers(asked[index]?.init.headers);

test("a batch goes out gzipped, well formed, with the token and without cookies", async () => {
  answers = [Response.json(RECEIPT)];
  expect(await send(`${"x".repeat(2_000)}\ud83d`)).toEqual({ kind: "ok", value: RECEIPT });
  expect(asked[0]?.address).toBe("http://server/v1/sessions/id/events:batch");
  expect(headersOf(0).get("authorization")).toBe("Bearer one");
  expect(headersOf(0).get("content-encoding")).toBe("gzip");
  expect(asked[0]?.init.credentials).toBe("omit");
  const body = asked[0]?.init.body as Blob;
  const text = await new Response(body.stream().pipeThrough(new DecompressionStream("gzip"))).text();
  expect(text.isWellFormed()).toBe(true);
  expect(JSON.parse(text)).toMatchObject({ events: [{ seq: 1 }] });
});

test("the server's answers are classified", async () => {
  const cases: [Response, string][] = [
    [problem(404, "session-not-found"), "not-found"],
    [problem(409, "session-deleted"), "closed"],
    [problem(409, "session-over"), "closed"],
    [problem(409, "session-limit"), "limit"],
    [problem(409, "something-new"), "unreachable"],
    [problem(413, "batch-too-large"), "too-large"],
    [problem(422, "invalid"), "invalid"],
    [problem(400, "bad-batch"), "invalid"],
    [problem(403, "scope-missing"), "forbidden"],
    [problem(503, "database-unavailable"), "unreachable"],
  ];
  for (const [answer, kind] of cases) {
    answers = [answer];
    expect((await send()).kind).toBe(kind);
  }
});

test("answers that are not from MindHit are not trusted", async () => {
  const html = (status: number) => new Response("<h1>Sign in to the WiFi</h1>", { status });
  for (const status of [200, 400, 403, 404, 409, 422, 502]) {
    answers = [html(status)];
    expect((await send()).kind).toBe("unreachable");
  }
  answers = [Response.json({ ok: true })];
  expect((await send()).kind).toBe("unreachable");
  answers = [Response.json({ session_id: "another" }), new Response(""), Response.json({ session_id: "id" })];
  expect((await server.start("id", 1)).kind).toBe("unreachable");
  expect((await server.stop("id", 1, 1)).kind).toBe("unreachable");
  expect((await server.stop("id", 1, 1)).kind).toBe("ok");
  answers = [];
  expect((await send()).kind).toBe("unreachable");
});

test("an answer that names no session is taken, if it looks like MindHit's", async () => {
  answers = [Response.json({ status: "recording" }), Response.json({ sessionId: "id" }), Response.json({})];
  const kinds = [await server.start("id", 1), await server.start("id", 1), await server.start("id", 1)];
  expect(kinds.map(({ kind }) => kind)).toEqual(["ok", "ok", "unreachable"]);
});

test("a stopped session's name is passed on, if the server gives one", async () => {
  const named_after = { title: "Lighthouses", more_pages: 9 };
  answers = [Response.json({ session_id: "id", named_after }), Response.json({ session_id: "id" })];
  expect(await server.stop("id", 1, 1)).toEqual({
    kind: "ok",
    value: { name: { title: "Lighthouses", morePages: 9 } },
  });
  expect(await server.stop("id", 1, 1)).toEqual({ kind: "ok", value: {} });
});

test("413 is trusted from any server", async () => {
  answers = [new Response("<h1>Request Entity Too Large</h1>", { status: 413 })];
  expect((await send()).kind).toBe("too-large");
});

test("redirects are not followed: a token is for one server", async () => {
  answers = [Response.json(RECEIPT), tokens("two")];
  await send();
  await refreshTokens("http://server", "r1");
  expect(asked.map(({ init }) => init.redirect)).toEqual(["error", "error"]);
});

test("Retry-After is passed on", async () => {
  answers = [new Response("", { status: 429, headers: { "retry-after": "7" } })];
  expect(await send()).toEqual({ kind: "unreachable", retryAfterMs: 7_000 });
});

test("a server without space keeps nothing, and the events are kept here", async () => {
  const cases: [Response, string][] = [
    [problem(507, "disk-full"), "no-space"],
    [problem(507, "storage-limit"), "no-space"],
    [problem(429, "daily-limit"), "daily-limit"],
  ];
  for (const [answer, refusal] of cases) {
    answers = [answer];
    expect(await send()).toEqual({ kind: "unreachable", refusal });
  }
  answers = [problem(421, "unknown-host")];
  expect(await send()).toEqual({ kind: "unreachable" });
});

test("a refused token is refreshed once, however many requests need it", async () => {
  answers = [
    problem(401, "token-not-valid"),
    problem(401, "token-not-valid"),
    tokens("two"),
    Response.json(RECEIPT),
    Response.json(RECEIPT),
  ];
  const [one, other] = await Promise.all([send(), send()]);
  expect([one.kind, other.kind]).toEqual(["ok", "ok"]);
  expect(asked.filter(({ address }) => address.endsWith("/refresh"))).toHaveLength(1);
  expect(account).toMatchObject({ access: "two", refresh: "r2", isRefreshing: false });
});

test("a token is refreshed before it expires", async () => {
  clock = 3_590_000;
  answers = [tokens("two"), Response.json(RECEIPT)];
  expect((await send()).kind).toBe("ok");
  expect(headersOf(1).get("authorization")).toBe("Bearer two");
});

test("a worker that was killed during a refresh is followed by one that refreshes at once", async () => {
  if (account) account = { ...account, isRefreshing: true };
  answers = [tokens("two"), Response.json(RECEIPT)];
  expect((await send()).kind).toBe("ok");
});

test("a refused refresh signs out; one without an answer does not", async () => {
  answers = [problem(401, "token-not-valid")];
  expect((await send()).kind).toBe("unreachable");
  expect(account).toMatchObject({ isSignedOut: false, isRefreshing: true });
  answers = [problem(401, "token-not-valid")];
  expect((await send()).kind).toBe("signed-out");
  expect(account).toMatchObject({ isSignedOut: true });
  expect((await send()).kind).toBe("signed-out");
});
