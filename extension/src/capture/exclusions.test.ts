import { expect, test } from "vitest";
import { parseDomain, isWithin, recordableUrl } from "./exclusions";

const ALL = { excluded: [], only: null };

test("only web pages are recorded", () => {
  for (const url of [
    "about:blank",
    "chrome://newtab/",
    "file:///etc/passwd",
    "data:text/html,x",
    "javascript:1",
    "",
    "no url",
    undefined,
  ])
    expect(recordableUrl(url, ALL)).toBeNull();
  expect(recordableUrl("HTTP://Example.COM:80/A?b=1#c", ALL)).toBe("http://example.com/A?b=1");
});

test("a URL that is too long for the server is not sent", () => {
  expect(recordableUrl(`https://a.example/${"x".repeat(9_000)}`, ALL)).toBeNull();
});

test("a domain covers its subdomains, and nothing that only ends like it", () => {
  expect(isWithin("mail.bank.example", ["bank.example"])).toBe(true);
  expect(isWithin("bank.example.", ["bank.example"])).toBe(true);
  expect(isWithin("notbank.example", ["bank.example"])).toBe(false);
  expect(isWithin("example", ["bank.example"])).toBe(false);
});

test("domains are accepted as people type them", () => {
  expect(parseDomain(" https://Bank.Example/path ")).toBe("bank.example");
  expect(parseDomain("*.bank.example")).toBe("bank.example");
  expect(parseDomain("은행.한국")).toBe(new URL("http://은행.한국").hostname);
  expect(parseDomain("localhost:8080")).toBe("localhost");
  expect(parseDomain("two words")).toBeNull();
  expect(parseDomain("")).toBeNull();
});
