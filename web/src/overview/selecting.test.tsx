import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import {
  click,
  detailOf,
  here,
  inside,
  leave,
  listOf,
  nothing,
  ok,
  open,
  sent,
  serve,
  session,
  visit,
} from "../testing";
import { joinFiles } from "./join-files";

const DAY = 86_400_000;
const three = [1, 2, 3].map((n) => ({
  ...session,
  id: `5e551000-0000-4000-8000-00000000000${n}`,
  title: `Session ${n}`,
  started_at: new Date(Date.parse(session.started_at) - n * DAY).toISOString(),
}));
const [one = "", two = ""] = three.map(({ id }) => id);

const server = () => ({ ...inside, "GET /v1/sessions": ok(listOf(three)) });
const choice = (n: number) =>
  screen.findByRole<HTMLInputElement>("checkbox", { name: `Select Session ${n}` });

beforeEach(() => {
  localStorage.clear();
});

test("several sessions are selected and deleted together, and come back when that is undone", async () => {
  const asked = serve({
    ...server(),
    [`DELETE /v1/sessions/${one}`]: nothing,
    [`DELETE /v1/sessions/${two}`]: nothing,
  });
  open("/");
  await click("Select");
  fireEvent.click(await choice(1));
  fireEvent.click(await choice(2));
  expect(await screen.findByText("2 selected")).toBeDefined();
  await click("Delete");
  expect(await screen.findByText("2 sessions were deleted.")).toBeDefined();
  expect(screen.queryByRole("link", { name: "Session 1" })).toBeNull();
  expect(screen.getByText("1 session")).toBeDefined();
  await click("Undo");
  expect(await screen.findByRole("link", { name: "Session 1" })).toBeDefined();
  await click("Select");
  await click("Select all");
  fireEvent.click(await choice(3));
  await click("Delete");
  leave();
  await waitFor(() => {
    expect(sent(asked, "DELETE").map(({ path }) => path)).toEqual([
      `/v1/sessions/${one}`,
      `/v1/sessions/${two}`,
    ]);
  });
});

test("j and x select by keyboard, Shift selects a range, Escape ends it", async () => {
  serve(server());
  open("/");
  await screen.findByRole("link", { name: "Session 1" });
  const press = (key: string) => {
    fireEvent.keyDown(document.activeElement ?? document.body, { key, code: `Key${key.toUpperCase()}` });
  };
  press("j");
  press("x");
  expect((await choice(1)).checked).toBe(true);
  press("j");
  expect(document.activeElement?.textContent).toBe("Session 2");
  fireEvent.click(await choice(3), { shiftKey: true });
  expect((await choice(2)).checked).toBe(true);
  expect(await screen.findByText("3 selected")).toBeDefined();
  fireEvent.keyDown(await choice(2), { key: "Escape" });
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("the selected sessions are exported as one file", async () => {
  const saved: Blob[] = [];
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (file: Blob) => String(saved.push(file)) }));
  URL.revokeObjectURL = () => undefined;
  serve({
    ...server(),
    [`GET /v1/sessions/${one}/export`]: () => new Response("# One\n"),
    [`GET /v1/sessions/${two}/export`]: () => new Response("# Two\n"),
  });
  open("/");
  await click("Select");
  fireEvent.click(await choice(1));
  fireEvent.click(await choice(2));
  await click("Markdown");
  await waitFor(() => {
    expect(saved).toHaveLength(1);
  });
  expect(await saved[0]?.text()).toBe("# One\n\n---\n\n# Two\n");
});

test("files are joined so that each is still one of its kind", () => {
  const files = (...texts: string[]) => texts.map((text, n) => ({ session: `s${n}`, text }));
  expect(JSON.parse(joinFiles("json", files('{"a":1}', '{"a":2}')))).toEqual([{ a: 1 }, { a: 2 }]);
});

test("rows of a joined CSV say which session they are of, also below a quoted line break", () => {
  const files = [
    { session: "one", text: "\uFEFFx,y\r\n1,2\r\n" },
    { session: "two", text: 'x,y\r\n3,"4\r\n""5"""\r\n6,\r\n' },
    { session: "none", text: "x,y\r\n" },
  ];
  expect(joinFiles("csv", files)).toBe('\uFEFFsession_id,x,y\r\none,1,2\r\ntwo,3,"4\r\n""5"""\r\ntwo,6,\r\n');
});

test("selected sessions are shown together, oldest first, each visit once, and nothing can be forgotten there", async () => {
  const detail = (n: number) => {
    const each = three[n - 1] ?? session;
    const at = each.started_at;
    const page = {
      ...visit,
      id: `${each.id}:1`,
      title: `Page of ${n}`,
      url_id: visit.url_id,
      entered_at: at,
    };
    const left_at = new Date(Date.parse(at) + n * 60_000).toISOString();
    const visits = [{ ...page, left_at, duration_ms: n * 60_000 }];
    return detailOf({ session: { ...detailOf().session, ...each }, page_visits: visits });
  };
  serve({
    ...server(),
    [`GET /v1/sessions/${one}`]: ok(detail(1)),
    [`GET /v1/sessions/${two}`]: ok(detail(2)),
  });
  open("/");
  await click("Select");
  fireEvent.click(await choice(1));
  fireEvent.click(await choice(2));
  await click("Show together", "link");
  expect(here()).toBe(`/together?sessions=${encodeURIComponent(`${one},${two}`)}`);
  expect(await screen.findByRole("heading", { name: "2 sessions together" })).toBeDefined();
  const rows = [...document.querySelectorAll("[data-index]")].map((row) => row.textContent);
  expect(rows.map((text) => /Session \d|Page of \d/.exec(text)?.[0])).toEqual([
    "Session 2",
    "Page of 2",
    "Session 1",
    "Page of 1",
  ]);
  expect(screen.queryByRole("button", { name: /^Forget/ })).toBeNull();
  const strip = () => screen.getByRole("region", { name: /^Timeline strip/ }).getAttribute("aria-label");
  const first = strip();
  await click("Show on the strip: Session 1");
  expect(strip()).not.toBe(first);
  await click("Show on the strip: Session 2");
  expect(strip()).toBe(first);
  await click("By page");
  expect(screen.getByText(/2 visits/)).toBeDefined(); // the same page in both
  act(() => {
    history.back();
  });
});
