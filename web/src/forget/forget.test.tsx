/** Forgetting asks first, with numbers, and is then out of sight everywhere. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { Detail } from "../session/api";
import {
  click,
  here,
  inside,
  listOf,
  me,
  ok,
  open,
  problem,
  sent,
  serve,
  session,
  stubDialogs,
  stubStreams,
  type,
  type Asked,
  type Server,
} from "../testing";

beforeEach(() => {
  stubStreams();
  stubDialogs();
});

const ID = session.id;
const counts = { id: null, is_done: false, sessions: 1, visits: 2, pages: 1, highlights: 0 };

function forgets(asked: readonly Asked[]): readonly unknown[] {
  return sent(asked, "POST").map(({ body }) => body);
}

const detail: Detail = {
  session: { ...session, acked_seq: 9, event_count: 9, rejected_count: 0, error: null },
  page_visits: [
    {
      id: `${ID}:4`,
      url: "https://secret.example/a",
      url_id: "0a000000-0000-4000-8000-000000000002",
      domain: "secret.example",
      title: "A secret",
      favicon: null,
      summary: null,
      keywords: [],
      content_status: null,
      entered_at: session.started_at,
      left_at: session.ended_at,
      duration_ms: 1_200_000,
      is_focused: true,
      visit_order: 1,
      tab_id: 1,
      transition: "typed",
      came_from: null,
    },
  ],
  pauses: [],
  highlights: [],
  holes: [],
};

test("a visit is forgotten from its row, or its page, or its site", async () => {
  const server: Server = {
    ...inside,
    [`GET /v1/sessions/${ID}`]: ok(detail),
    "POST /v1/forget": ok(counts),
  };
  const asked = serve(server);
  open(`/sessions/${ID}`);
  await click("Forget A secret…");
  const dialog = await screen.findByRole("dialog", { name: "Forget this visit?" });
  expect(await within(dialog).findByText(/^2 visits in 1 session will be permanently deleted/)).toBeDefined();
  expect(within(dialog).getByText(/can’t be undone/)).toBeDefined();
  fireEvent.click(within(dialog).getByRole("radio", { name: "Every visit to this page" }));
  await screen.findByRole("dialog", { name: "Forget this page?" });
  fireEvent.click(within(dialog).getByRole("radio", { name: "Everything on secret.example" }));
  await screen.findByRole("dialog", { name: "Forget secret.example?" });
  await waitFor(() => {
    expect(forgets(asked)).toEqual([
      { session_id: ID, visit_id: `${ID}:4`, dry_run: true },
      { url: "https://secret.example/a", dry_run: true },
      { domain: "secret.example", dry_run: true },
    ]);
  });
  server[`GET /v1/sessions/${ID}`] = ok({ ...detail, page_visits: [] });
  fireEvent.click(within(dialog).getByRole("button", { name: "Forget" }));
  await waitFor(() => {
    expect(screen.queryByText("A secret")).toBeNull();
  });
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(forgets(asked).at(-1)).toEqual({ domain: "secret.example", dry_run: false });
});

test("the last hour and a day are forgotten in the settings", async () => {
  const asked = serve({ ...inside, "POST /v1/forget": ok({ ...counts, highlights: 1 }) });
  open("/settings/data");
  await click("Forget the last hour…");
  expect(await screen.findByText(/^2 visits in 1 session and 1 highlight will be/)).toBeDefined();
  await click("Cancel");
  expect(forgets(asked)).toEqual([{ last: "1h", dry_run: true }]);
  await type("Day", "2026-11-15");
  await click("Forget this day…");
  await click("Forget");
  expect(await screen.findByText("Forgotten.")).toBeDefined();
  expect(forgets(asked).slice(1)).toEqual([
    { day: "2026-11-15", dry_run: true },
    { day: "2026-11-15", dry_run: false },
  ]);
});

test("a site is forgotten from the overview, where it is the filter", async () => {
  const asked = serve({
    ...inside,
    "GET /v1/sessions": ok(listOf([session])),
    "POST /v1/forget": ok({ ...counts, visits: 0, sessions: 0 }),
  });
  open("/?domain=secret.example");
  await click("Forget secret.example…");
  expect(await screen.findByText(/^Nothing recorded matches this/)).toBeDefined();
  await click("Forget");
  await waitFor(() => {
    expect(here()).toBe("/");
  });
  expect(forgets(asked).at(-1)).toEqual({ domain: "secret.example", dry_run: false });
});

test("what fails is a sentence, and nothing is said to be forgotten", async () => {
  const server: Server = { ...inside, "POST /v1/forget": ok(counts) };
  serve(server);
  open("/settings/data");
  await click("Forget the last hour…");
  await screen.findByText(/^2 visits/);
  server["POST /v1/forget"] = problem(503, "contended");
  await click("Forget");
  expect((await screen.findByRole("alert")).textContent).toContain("Try again.");
  expect(screen.queryByText("Forgotten.")).toBeNull();
});

test("in Korean it is Korean", async () => {
  const korean = { ...me, settings: { ...me.settings, language: "ko" } };
  serve({ ...inside, "GET /v1/me": ok(korean), "POST /v1/forget": ok(counts) });
  open("/settings/data");
  await click("최근 1시간 기록 지우기…");
  expect(await screen.findByText(/^방문 2개 \(세션 1개\)와 페이지 본문이 완전히 삭제돼요/)).toBeDefined();
});
