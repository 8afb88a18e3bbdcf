import { renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inside, me, ok, sent, serve, type Server } from "../testing";
import { pushState } from "./push";
import { SUBSCRIBED, subscribedAs, useRenewedPush } from "./use-renewed-push";

const keys = { p256dh: "p", auth: "a" };
const endpoint = "https://push.example/1";
const server: Server = {
  ...inside,
  "PUT /v1/push/subscriptions": ok({ id: "s1" }),
};
const before = { ...me, device: { ...me.device, id: "d0" } };

beforeEach(() => {
  const subscription = { toJSON: () => ({ endpoint, keys }) };
  const registration = { pushManager: { getSubscription: () => Promise.resolve(subscription) } };
  vi.stubGlobal("PushManager", vi.fn());
  vi.stubGlobal("Notification", { permission: "granted" });
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: { getRegistration: () => Promise.resolve(registration) },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
  localStorage.clear();
});

test("after signing in again, the server hears of this browser's subscription once", async () => {
  localStorage.setItem(SUBSCRIBED, subscribedAs(before));
  const asked = serve(server);
  renderHook(() => {
    useRenewedPush(me);
  });
  await waitFor(() => {
    expect(sent(asked, "PUT")[0]?.body).toEqual({ endpoint, keys });
  });
  await waitFor(() => {
    expect(localStorage.getItem(SUBSCRIBED)).toBe(subscribedAs(me));
  });
  expect(await pushState(me)).toBe("on");
});

test.each([
  ["the same sign-in", subscribedAs(me), "on"],
  ["somebody else's", subscribedAs({ ...before, id: "somebody else" }), "off"],
])("a subscription of %s is not told again", async (_, known, state) => {
  localStorage.setItem(SUBSCRIBED, known);
  const asked = serve(server);
  renderHook(() => {
    useRenewedPush(me);
  });
  expect(await pushState(me)).toBe(state);
  expect(sent(asked, "PUT")).toEqual([]);
});
