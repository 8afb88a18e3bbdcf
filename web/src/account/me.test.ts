import { Problem } from "@mindhit/client";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { me } from "../testing";
import { become, devicesQuery, isSignedOut, meQuery } from "./me";

test.each([
  { status: 401, kind: "not-signed-in", isOut: true },
  { status: 401, kind: "token-not-valid", isOut: true },
  { status: 401, kind: "wrong-credentials", isOut: false },
  { status: 403, kind: "wrong-password", isOut: false },
])("$status $kind: $isOut", ({ status, kind, isOut }) => {
  expect(isSignedOut(new Problem({ type: `urn:mindhit:problem:${kind}`, title: "", status }))).toBe(isOut);
});

test("nothing of one person is left for the next", () => {
  const queries = new QueryClient();
  queries.setQueryData(devicesQuery.queryKey, { items: [], next_cursor: null });
  become(queries, { ...me, email: "jun@example.com" });
  expect(queries.getQueryData(devicesQuery.queryKey)).toBeUndefined();
  expect(queries.getQueryData(meQuery.queryKey)?.email).toBe("jun@example.com");
});
