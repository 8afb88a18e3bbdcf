import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { click, inside, leave, ok, open, sent, serve, session, type, type Server } from "../testing";
import type { Highlight } from "./api";
import { markdownOf } from "./markdown";

const ONE: Highlight = {
  id: "h1",
  text: "They sleep on the wing",
  note: null,
  url_id: "0a000000-0000-4000-8000-000000000001",
  url: "https://site.example/swift",
  domain: "site.example",
  title: "Common swift",
  favicon: null,
  created_at: "2026-11-15T10:00:00.000Z",
  session_id: session.id,
  session_title: "Birds",
  page_visit_id: `${session.id}:7`,
};

const listed = (...highlights: readonly Highlight[]) => ({ highlights, next_cursor: null });

function served(first: Highlight): { server: Server; now: () => Highlight } {
  let current = first;
  return {
    now: () => current,
    server: {
      ...inside,
      "GET /v1/highlights": () => Response.json(listed(current)),
      [`PATCH /v1/highlights/${first.id}`]: ({ body }) => {
        current = { ...current, note: (body as { note: string }).note || null };
        return Response.json(current);
      },
    },
  };
}

test("a highlight opens its page at the text, and its session at the visit", async () => {
  serve({ ...inside, "GET /v1/highlights": ok(listed(ONE)) });
  open("/highlights");
  const original = await screen.findByRole("link", { name: "Open at this text" });
  expect(original.getAttribute("href")).toBe(
    "https://site.example/swift#:~:text=They%20sleep%20on%20the%20wing",
  );
  expect(screen.getByRole("link", { name: "Show in session" }).getAttribute("href")).toBe(
    `/sessions/${session.id}?visit=7`,
  );
});

test("a note is written in place, changed and taken away", async () => {
  const { server } = served(ONE);
  const asked = serve(server);
  open("/highlights");
  await click("Add a note");
  expect(document.activeElement?.tagName).toBe("TEXTAREA");
  await type("Note", "Ask Jin\nabout this");
  await click("Save");
  await screen.findByText(/Ask Jin/);
  const button = await screen.findByRole("button", { name: "Edit note" });
  await waitFor(() => {
    expect(document.activeElement).toBe(button);
  });
  await click("Edit note");
  fireEvent.keyDown(screen.getByLabelText("Note"), { key: "Escape" });
  await click("Edit note");
  await type("Note", "  ");
  await click("Save");
  await screen.findByRole("button", { name: "Add a note" });
  await click("Undo");
  await screen.findByText(/Ask Jin/);
  await click("Edit note");
  await type("Note", "  ");
  await click("Save");
  await screen.findByText("The note was deleted.");
  leave();
  await waitFor(() => {
    expect(sent(asked, "PATCH")).toHaveLength(2);
  });
  await screen.findByRole("button", { name: "Add a note" });
  expect(sent(asked, "PATCH").map(({ body }) => body)).toEqual([
    { note: "Ask Jin\nabout this" },
    { note: "" },
  ]);
});

test("all are copied as Markdown; without a clipboard the text is there to be copied by hand", async () => {
  serve({ ...inside, "GET /v1/highlights": ok(listed(ONE, { ...ONE, id: "h2", text: "Another" })) });
  const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText } });
  open("/highlights");
  await click("Copy all as Markdown");
  await screen.findByText("Copied.");
  expect(writeText.mock.calls[0]?.[0]).toMatch(/^> They sleep on the wing\n[^]*\n---\n\n> Another\n/);
  writeText.mockRejectedValue(new Error("not allowed"));
  await click("Copy all as Markdown");
  const field = await screen.findByLabelText<HTMLTextAreaElement>("Copy all as Markdown", {
    selector: "textarea",
  });
  expect(field.value).toContain("> Another");
});

test("nothing that a page or a person wrote is markup in Markdown", () => {
  const text = "# *one*\n- [x](javascript:y)\n1. <b>";
  const made = markdownOf(
    [{ ...ONE, text, note: "- mine", title: "a ] b", url: "https://a.example/<x>" }],
    () => "day",
  );
  expect(made).toBe(
    "> \\# \\*one\\*\n> \\- \\[x\\](javascript:y)\n> 1\\. \\<b\\>\n\n\\- mine\n\n" +
      "— [a \\] b](<https://a.example/%3Cx%3E#:~:text=%23%20*one*,1.%20%3Cb%3E>), day\n",
  );
});

test("without highlights the screen says how to make one", async () => {
  serve({ ...inside, "GET /v1/highlights": ok(listed()) });
  open("/highlights");
  await screen.findByText(/Nothing highlighted yet/);
  expect(screen.queryByRole("button", { name: "Copy all as Markdown" })).toBeNull();
});
