import { expect, test } from "vitest";
import { translator } from "./translate";

const en = translator("en");
const ko = translator("ko");

test("a text has its values, and its form for a count, in each language", () => {
  expect(en("session.timeline.visitCount", { count: 1 })).toBe("1 visit");
  expect(en("session.timeline.visitCount", { count: 2 })).toBe("2 visits");
  expect(ko("session.timeline.visitCount", { count: 1 })).toBe(
    ko("session.timeline.visitCount", { count: 2 }).replace("2", "1"),
  );
});

test("what a page calls itself is never read as a value or a pattern", () => {
  const page = "{{way}} $& $1 $t(ui.save) <b>";
  expect(en("session.timeline.from", { page })).toContain(page);
});

test("the same language is the same function, so that memoised rows stay as they are", () => {
  expect(translator("en")).toBe(en);
  expect(ko).not.toBe(en);
});
