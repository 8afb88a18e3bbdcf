import { expect, test } from "vitest";
import { browserOf } from "./browsers";

const CHROMIUM = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";

test.each([
  { agent: `${CHROMIUM} Safari/537.36`, brave: false, browser: "chrome" },
  { agent: `${CHROMIUM} Safari/537.36 Edg/140.0.0.0`, brave: false, browser: "edge" },
  { agent: `${CHROMIUM} Safari/537.36`, brave: true, browser: "brave" },
  {
    agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    brave: false,
    browser: "firefox",
  },
])("$agent is $browser", ({ agent, brave, browser }) => {
  expect(browserOf(agent, brave)).toBe(browser);
});
