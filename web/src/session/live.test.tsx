import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { useIsOffline, startOffline } from "../api/offline";
import { ok, serve, session, Stream, stubStreams } from "../testing";
import { useProgress } from "./live";

const queries = new QueryClient();
const around = ({ children }: { readonly children: ReactNode }) => (
  <QueryClientProvider client={queries}>{children}</QueryClientProvider>
);
const recording = (id: string) => ({ ...session, id, status: "recording" as const });
const open = () => Stream.all.filter(({ readyState }) => readyState !== Stream.CLOSED).length;

test("of many recordings two are watched, and the rest is asked for now and then", () => {
  vi.useFakeTimers();
  stubStreams();
  const asked = vi.spyOn(queries, "invalidateQueries");
  const rows = ["a", "b", "c", "d"].map((id) =>
    renderHook(() => useProgress(recording(id)), { wrapper: around }),
  );
  expect(open()).toBe(2);
  vi.advanceTimersByTime(10_000);
  expect(asked).toHaveBeenCalledTimes(2);
  for (const { unmount } of rows) unmount();
  expect(open()).toBe(0);
  renderHook(() => useProgress(recording("e")), { wrapper: around });
  expect(open()).toBe(1);
  vi.useRealTimers();
});

test("a tab that nobody sees holds no connection", () => {
  stubStreams();
  const seen = vi.spyOn(document, "visibilityState", "get").mockReturnValue("visible");
  renderHook(() => useProgress(recording("a")), { wrapper: around });
  expect(open()).toBe(1);
  const turn = (state: DocumentVisibilityState) => {
    act(() => {
      seen.mockReturnValue(state);
      document.dispatchEvent(new Event("visibilitychange"));
    });
  };
  turn("hidden");
  expect(open()).toBe(0);
  turn("visible");
  expect(open()).toBe(1);
});

test.each([
  { about: "in good order", server: { "GET /readyz": ok({ status: "ready" }) }, isAway: false },
  { about: "with the server", server: {}, isAway: true },
])("a stream that ends $about: the server is away: $isAway", async ({ server, isAway }) => {
  startOffline(queries);
  stubStreams();
  const asked = serve(server);
  const { result } = renderHook(() => useIsOffline());
  renderHook(() => useProgress(recording("a")), { wrapper: around });
  act(() => Stream.all[0]?.onerror?.()); // the browser comes back by itself
  expect(result.current).toBe(false); // not before it was asked
  await waitFor(() => {
    expect(asked.map(({ path }) => path)).toEqual(["/readyz"]);
    expect(result.current).toBe(isAway);
  });
  startOffline(queries);
});
