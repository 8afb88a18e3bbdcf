import { expect, test } from "vitest";
import { isWithin, judge, parseDomain, recordableUrl, siteOf } from "./exclusions";

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

test("each refusal has its reason", () => {
  const rules = { excluded: ["bank.example"], only: null, ownServer: "http://127.0.0.1:8787" };
  const refusal = (url: string, more = {}) => {
    const judged = judge(url, { ...rules, ...more });
    return "refusal" in judged ? judged.refusal : null;
  };
  expect(refusal("https://a.example/")).toBeNull();
  expect(refusal("https://a.example/", { isPaused: true })).toBe("paused");
  expect(refusal("chrome://settings/")).toBe("not-web");
  expect(refusal("https://my.bank.example/")).toBe("excluded");
  expect(refusal("https://a.example/", { only: ["b.example"] })).toBe("not-listed");
  expect(refusal(`https://a.example/${"x".repeat(9_000)}`)).toBe("too-long");
});

test("the server's own pages are recognised by every name of this machine, and by nothing else", () => {
  const refusal = (url: string, ownServer?: string) => {
    const judged = judge(url, { excluded: [], only: null, ownServer });
    return "refusal" in judged ? judged.refusal : null;
  };
  const here = "http://127.0.0.1:8787";
  for (const url of [`${here}/sessions`, "http://localhost:8787/", "http://[::1]:8787/"])
    expect(refusal(url, here)).toBe("own-server");
  for (const url of ["http://127.0.0.1:3000/", "http://other.example:8787/", "https://localhost:8787/"])
    expect(refusal(url, here)).toBeNull();
  expect(refusal("https://mind.example/x", "https://mind.example")).toBe("own-server");
  expect(refusal("https://mind.example/x", undefined)).toBeNull();
});

test("a site is its host without www", () => {
  expect(siteOf("https://www.news.example/a")).toBe("news.example");
  expect(siteOf("http://nas/a")).toBe("nas");
  expect(siteOf("https://www.com/")).toBe("www.com");
});
