import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { startLanguages } from "../../i18n/languages";
import { useAction } from "./use-action";

beforeAll(startLanguages);
afterEach(cleanup);

function Around({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>;
}

test("what is set off twice in one moment runs once, and again when it is over", async () => {
  let runs = 0;
  const { result } = renderHook(() => useAction(() => Promise.resolve((runs += 1))), { wrapper: Around });
  await act(async () => {
    result.current.run();
    result.current.run();
    await new Promise((resolve) => setTimeout(resolve, 0));
  });
  expect(runs).toBe(1);
  await act(async () => {
    result.current.run();
    await new Promise((resolve) => setTimeout(resolve, 0));
  });
  expect(runs).toBe(2);
});

test("a failure is explained, and does not block the next try", async () => {
  let runs = 0;
  const fail = () => {
    runs += 1;
    return Promise.reject(new TypeError("fetch failed"));
  };
  const { result } = renderHook(() => useAction(fail), { wrapper: Around });
  for (const run of [1, 2]) {
    await act(async () => {
      result.current.run();
      await new Promise((resolve) => setTimeout(resolve, 0));
    });
    expect(runs).toBe(run);
  }
  expect(result.current.failure?.isUnreachable).toBe(true);
});
