import { expect, test } from "vitest";
import { translator } from "../i18n/translate";
import { cronOf, inWords, timesOf, USUAL } from "./schedule-times";

test.each([
  ["0 * * * *", "every hour"],
  ["0 */6 * * *", "every 6 hours"],
  ["30 6 * * *", "every day at 06:30"],
  ["0 8 * * 1-5", "Monday to Friday at 08:00"],
  ["15 20 * * 0", "every Sunday at 20:15"],
  ["15 20 * * 7", "every Sunday at 20:15"],
  ["*/15 * * * *", "every 15 minutes"],
  ["5 */2 * * *", "every 2 hours"],
  ["*/7 * * * *", "cron */7 * * * *"],
  ["0 8 1 * *", "cron 0 8 1 * *"],
  ["0 8 * * 1,3", "cron 0 8 * * 1,3"],
  ["0 25 * * *", "cron 0 25 * * *"],
])("%s is %s", (cron, words) => {
  expect(inWords(cron, "en-GB", translator("en"))).toBe(words);
});

test.each(["0 * * * *", "0 */6 * * *", "30 6 * * *", "0 8 * * 1-5", "15 20 * * 0", "5 4 1,15 * *"])(
  "%s can be chosen, and is kept",
  (cron) => {
    expect(cronOf(timesOf(cron))).toBe(cron);
  },
);

test("every kind becomes the expression that it says", () => {
  const at = { ...USUAL, at: "07:05", weekday: 7 };
  expect(cronOf({ ...at, kind: "daily" })).toBe("5 7 * * *");
  expect(cronOf({ ...at, kind: "weekdays" })).toBe("5 7 * * 1-5");
  expect(cronOf({ ...at, kind: "weekly" })).toBe("5 7 * * 0");
  expect(cronOf({ ...at, kind: "custom", cron: " 1 2 3 4 5 " })).toBe("1 2 3 4 5");
});
