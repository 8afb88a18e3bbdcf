import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { translator } from "../i18n/translate";
import { deviceName } from "./device-name";
import { emailError } from "./email-field";
import { passwordError } from "./password-rules";
import { useToken } from "./link-token";

afterEach(cleanup);

test("a browser that does not say what it is has a name in every language, others have their own", () => {
  expect(deviceName("Unknown device", translator("ko"))).toBe("알 수 없는 기기");
  expect(deviceName("Chrome on Linux", translator("ko"))).toBe("Chrome on Linux");
});

test("a token is taken out of the address bar and stays with the history entry alone", () => {
  history.replaceState({ kept: 1 }, "", "/welcome?x=1#secret");
  const { result } = renderHook(useToken);
  expect(result.current).toBe("secret");
  expect(location.href).not.toContain("secret");
  expect(location.search).toBe("?x=1");
  expect(history.state).toEqual({ kept: 1, token: "secret" });
  expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toContain(
    "secret",
  );
});

test("the next link in the same tab brings the next token", () => {
  history.replaceState(null, "", "/reset#first");
  const { result } = renderHook(useToken);
  act(() => {
    history.replaceState(null, "", "/reset#second");
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  });
  expect(result.current).toBe("second");
  expect(location.hash).toBe("");
});

test.each([
  { password: "123456789", is: "short" },
  { password: "1234567890", is: "fine" },
  { password: "비밀번호를아주길게써요", is: "fine" },
  { password: "abababababab", is: "monotone" },
  { password: "Mina.Kim.Lee@example.com", is: "own address" },
  { password: "mina.kim.lee", is: "own address" },
])("the password $password is $is", ({ password, is }) => {
  const said = {
    short: "Use at least 10 characters.",
    monotone: "Use at least 4 different characters.",
    "own address": "Your password can’t be your email address.",
    fine: undefined,
  }[is];
  expect(passwordError(password, "mina.kim.lee@example.com", translator("en"))).toBe(said);
});

test.each([
  { email: "you@example.com", isWrong: false },
  { email: " 나@한국.kr ", isWrong: false },
  { email: "me@localhost", isWrong: false },
  { email: "you", isWrong: true },
  { email: "you@", isWrong: true },
  { email: "a b@example.com", isWrong: true },
  { email: "", isWrong: true },
])("$email: $isWrong", ({ email, isWrong }) => {
  expect(emailError(email, translator("en")) !== undefined).toBe(isWrong);
});
