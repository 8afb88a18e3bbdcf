import { afterEach, expect, test, vi } from "vitest";
import { createApi, Problem } from "./index";

/** The call without its types: the schema may not yet have a path with every kind of parameter. */
type Untyped = (method: string, path: string, asked?: object) => Promise<unknown>;

function answer(response: Response): () => Request {
  const fetched = vi.fn<typeof fetch>().mockResolvedValue(response);
  vi.stubGlobal("fetch", fetched);
  return () => {
    const [address, init] = fetched.mock.calls[0] ?? [];
    return new Request(address as string, init);
  };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a success is its JSON", async () => {
  const request = answer(Response.json({ name: "MindHit", version: "1.2.3" }));
  const about = await createApi("https://memory.test")("get", "/v1/about");
  expect(about.version).toBe("1.2.3");
  expect(request().url).toBe("https://memory.test/v1/about");
  expect(request().headers.get("accept")).toBe("application/json");
});

test("parameters, body and headers go where the schema says", async () => {
  const request = answer(new Response(null, { status: 204 }));
  const api = createApi("https://memory.test", () => ({ authorization: "Bearer t" })) as Untyped;
  const result = await api("post", "/v1/tags/{name}/pages", {
    path: { name: "a/b 한글" },
    query: { kind: ["x", "y"], after: undefined, limit: 5 },
    header: { "Idempotency-Key": "k" },
    body: { ids: [1] },
  });
  expect(result).toBeUndefined();
  expect(request().method).toBe("POST");
  expect(request().url).toBe(
    `https://memory.test/v1/tags/a%2Fb%20${encodeURIComponent("한글")}/pages?kind=x&kind=y&limit=5`,
  );
  expect(request().headers.get("authorization")).toBe("Bearer t");
  expect(request().headers.get("idempotency-key")).toBe("k");
  expect(request().headers.get("content-type")).toBe("application/json");
  expect(await request().json()).toEqual({ ids: [1] });
});

test("a problem document becomes a Problem with all its members", async () => {
  const document = {
    type: "/problems/quota",
    title: "Quota reached",
    status: 403,
    detail: "100 of 100",
    limit: 100,
  };
  answer(Response.json(document, { status: 403, headers: { "content-type": "application/problem+json" } }));
  const problem = await createApi()("get", "/v1/about").catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(Problem);
  expect(problem).toMatchObject({ status: 403, type: "/problems/quota", message: "100 of 100", document });
});

test("an error that is no problem document is still a Problem", async () => {
  answer(new Response("<h1>Bad gateway</h1>", { status: 502, statusText: "Bad Gateway" }));
  await expect(createApi()("get", "/v1/about")).rejects.toMatchObject({
    status: 502,
    type: "about:blank",
    message: "Bad Gateway",
  });
});

test.each([
  { header: { "retry-after": "7" }, body: {}, seconds: 7 },
  { header: { "retry-after": "7" }, body: { retry_after_s: 12 }, seconds: 12 },
  { header: { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }, body: {}, seconds: undefined },
  { header: {}, body: {}, seconds: undefined },
])("after $header and $body, wait $seconds s", async ({ header, body, seconds }) => {
  const headers = { ...header, "content-type": "application/problem+json" };
  answer(new Response(JSON.stringify(body), { status: 429, headers: headers as Record<string, string> }));
  const problem = await createApi()("get", "/v1/about").catch((error: unknown) => error);
  expect((problem as Problem).retryAfterS).toBe(seconds);
});

test("an abort is thrown as fetch throws it", async () => {
  const stop = new AbortController();
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
    init.signal?.throwIfAborted();
    return Promise.reject(new Error("not aborted"));
  });
  stop.abort();
  await expect(createApi()("get", "/v1/about", { signal: stop.signal })).rejects.toMatchObject({
    name: "AbortError",
  });
});
