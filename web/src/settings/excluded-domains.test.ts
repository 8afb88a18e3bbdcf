import { expect, test } from "vitest";
import { domainOf, readDomains } from "./excluded-domains";

test.each([
  { word: "bank.example", domain: "bank.example" },
  { word: "BANK.Example.", domain: "bank.example" },
  { word: "https://bank.example/login?next=/x#y", domain: "bank.example" },
  { word: "bank.example:8443/path", domain: "bank.example" },
  { word: "*.bank.example", domain: "bank.example" },
  { word: ".bank.example", domain: "bank.example" },
  { word: "www.bank.example", domain: "bank.example" },
  { word: "www.com", domain: "www.com" },
  { word: "한국.kr", domain: "xn--3e0b707e.kr" },
  { word: "192.168.0.1", domain: "192.168.0.1" },
  { word: "http://[::1]:80/", domain: "[::1]" },
  { word: "localhost", domain: "localhost" },
  { word: "http://nas/", domain: "nas" },
  { word: "bank", domain: null },
  { word: "what!ever.example", domain: null },
  { word: "me@bank.example", domain: null },
  { word: "ftp://bank.example", domain: null },
  { word: "javascript://bank.example", domain: null },
  { word: "bank..example", domain: null },
  { word: "-bank.example", domain: null },
  { word: `${"a".repeat(64)}.example`, domain: null },
  { word: "https://", domain: null },
])("$word: $domain", ({ word, domain }) => {
  expect(domainOf(word)).toBe(domain);
});

test("many at once, in any mixture, each once", () => {
  expect(readDomains("a.example, b.example;c.example\n\thttps://a.example/x  oops d!.example")).toEqual({
    domains: ["a.example", "b.example", "c.example"],
    rejected: ["oops", "d!.example"],
  });
  expect(readDomains("  \n ")).toEqual({ domains: [], rejected: [] });
});
