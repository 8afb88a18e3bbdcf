/** One language per person, in every browser. */
import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { click, inside, me, ok, open, outside, sent, serve, settings, type Server } from "../testing";

afterEach(cleanup);

const korean = { ...me, settings: { ...settings, language: "ko" as const } };

test("a browser that spoke another language takes the account's", async () => {
  serve({ ...inside, "GET /v1/me": ok(korean) });
  open("/first-steps"); // in English
  expect(await screen.findByRole("heading", { name: "시작하기" })).toBeDefined();
  expect(document.documentElement.lang).toBe("ko");
  expect(localStorage.getItem("mindhit.language")).toBe("ko");
});

test("a language that is chosen is kept with the account", async () => {
  const server: Server = {
    ...inside,
    "PATCH /v1/me/settings": () => {
      server["GET /v1/me"] = ok(korean);
      return Response.json(korean.settings);
    },
  };
  const asked = serve(server);
  open("/first-steps");
  await click("Account: mina@example.com");
  await click("한국어");
  expect(await screen.findByRole("heading", { name: "시작하기" })).toBeDefined();
  await waitFor(() => {
    expect(sent(asked, "PATCH").map(({ body }) => body)).toEqual([{ language: "ko" }]);
  });
});

test("before signing in the last language of this browser stays", async () => {
  serve(outside);
  open("/sign-in");
  await click("한국어");
  expect(await screen.findByRole("heading", { name: "로그인" })).toBeDefined();
  expect(localStorage.getItem("mindhit.language")).toBe("ko");
});
