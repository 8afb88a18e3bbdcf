import { Problem } from "@mindhit/client";
import { expect, test } from "vitest";
import { translator } from "../i18n/translate";
import { ko } from "./ko";
import { explain } from "./explain";

const t = translator("ko");

const tell = (document: object) =>
  explain(new Problem({ type: "about:blank", title: "Oops", status: 400, ...document }), t);

test("what we know is said in the person's language", () => {
  expect(tell({ type: "urn:mindhit:problem:wrong-password", detail: "Wrong password." }).text).toBe(
    "비밀번호가 맞지 않아요.",
  );
});

test("what we do not know is said in the server's words, with the way out", () => {
  const failure = tell({
    type: "urn:mindhit:problem:new-thing",
    detail: "A new thing.",
    way_out: "Do this.",
  });
  expect(failure).toMatchObject({ text: "A new thing.", wayOut: "Do this.", isUnreachable: false });
});

test("names of objects are no kinds of problems", () => {
  expect(tell({ type: "urn:mindhit:problem:constructor", detail: "Hm." }).text).toBe("Hm.");
});

test("what is wrong with a field goes to the field, in the person's language", () => {
  const errors = [
    { pointer: "/excluded_domains/3", detail: "a domain", kind: "bad_excluded_domains" },
    { pointer: "/excluded_domains/4", detail: "nor this", kind: "string_too_long" },
    { pointer: "/title", detail: "a name is one line of letters", kind: "one_line" },
    { pointer: "query: limit", detail: "too large", kind: "toString" },
  ];
  expect(tell({ status: 422, errors }).fields).toEqual({
    excluded_domains: ko.fields.bad_excluded_domains,
    title: ko.fields.one_line,
    "query: limit": ko.fields.other,
  });
});

test("whatever was our mistake is one sentence, and no way out in a language of its own", () => {
  const failure = tell({ status: 500, type: "urn:mindhit:problem:constraint-broken", way_out: "Look." });
  expect(failure).toMatchObject({ text: ko.types.broken, wayOut: undefined });
});

test.each([{ retry_after_s: 42, said: "42초" }, { retry_after_s: 601, said: "11분" }, { said: "잠시 후" }])(
  "429 says how long to wait: $said",
  ({ said, ...more }) => {
    expect(tell({ status: 429, ...more }).text).toContain(said);
  },
);

test.each([
  { kind: "too-many-attempts", said: "시도 횟수가 너무 많아요. 42초 후에 다시 시도해 주세요." },
  { kind: "too-many", said: "요청이 너무 많아요. 42초 후에 다시 시도해 주세요." },
  { kind: "too-many-imports", said: ko.types["too-many-imports"] },
])("429 says what there was too much of: $kind", ({ kind, said }) => {
  expect(tell({ status: 429, type: `urn:mindhit:problem:${kind}`, retry_after_s: 42 }).text).toBe(said);
});

test("nothing that answers, and a proxy that answers for it, are a server that is away", () => {
  expect(explain(new TypeError("fetch failed"), t).isUnreachable).toBe(true);
  expect(tell({ status: 502 }).isUnreachable).toBe(true);
  expect(
    tell({ status: 503, type: "urn:mindhit:problem:database-unavailable", detail: "No database." }),
  ).toMatchObject({
    isUnreachable: false,
    text: ko.types["database-unavailable"],
  });
});
