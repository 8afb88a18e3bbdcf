import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { click, inside, listOf, ok, open, serve, session, stubStreams } from "../testing";

test("sessions in the list have their map and their keywords, and the time its topics", async () => {
  stubStreams();
  const listed = listOf([{ ...session, top_keywords: ["yeast", "<i>flour</i>"] }]);
  const asked = serve({
    ...inside,
    "GET /v1/sessions": ok({ ...listed, thumbnails: { [session.id]: [[1, 50, 50, 90, 10]] } }),
    "GET /v1/totals": ok({
      topics: [{ topic: "Bread", focused_ms: 7_200_000, visits: 9, pages: 4 }],
    }),
    "GET /v1/totals/days": ok({
      today: "2026-11-16",
      days: [
        {
          date: "2026-11-16",
          focused_ms: 7_200_000,
          domains: [{ domain: "site.example", focused_ms: 7_200_000, visits: 9, pages: 4 }],
        },
      ],
    }),
  });
  open("/");
  expect(await screen.findByText("yeast · <i>flour</i>")).toBeDefined();
  expect(document.querySelector("li[data-status] svg path")?.getAttribute("d")).toBe(
    "M50 50C70 50 70 10 90 10",
  );
  await click("Topics");
  const topic = (await screen.findByText("Bread")).closest("li");
  expect(topic?.textContent).toContain("2 h");
  const query = asked.find(({ path }) => path === "/v1/totals")?.query;
  expect(query?.get("by")).toBe("topic");
  expect(Date.parse(query?.get("to") ?? "") - Date.parse(query?.get("from") ?? "")).toBe(7 * 86_400_000);
});
