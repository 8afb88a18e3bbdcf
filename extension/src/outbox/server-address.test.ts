import { describe, expect, test } from "vitest";
import { parseServerAddress } from "./server-address";

describe("typed server addresses", () => {
  test.each([
    "localhost:8000",
    "mind.localhost",
    "127.0.0.1:8000",
    "10.1.2.3",
    "172.16.0.5",
    "172.31.255.1",
    "192.168.1.20:8080",
    "[::1]:8000",
    "[fd12:3456::1]",
    "[fc00::1]",
    "nas",
    "nas:443",
    "nas.local",
  ])("%s is near, and asked without encryption", (typed) => {
    expect(parseServerAddress(typed)).toBe(`http://${typed}`);
  });

  test.each([
    "mindhit.example.org",
    "10.minutes.example",
    "localhost.example.org",
    "192.168.example.com",
    "127.evil.example",
    "local.example",
    "notlocalhost.example:8443",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "192.169.0.1",
    "[2001:db8::1]",
    "[2001:db8:fd00::1]",
  ])("%s is not", (typed) => {
    expect(parseServerAddress(typed)).toBe(`https://${typed}`);
  });

  test("an explicit scheme is kept, and only the origin is used", () => {
    expect(parseServerAddress(" http://mindhit.example.org/sessions?q=1 ")).toBe(
      "http://mindhit.example.org",
    );
    expect(parseServerAddress("HTTPS://nas:8443/")).toBe("https://nas:8443");
    expect(parseServerAddress("nas.local/sessions")).toBe("http://nas.local");
  });

  test("what isn't an address is rejected", () => {
    expect(["", "  ", "a server", "http://", "nas:port"].map(parseServerAddress)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
