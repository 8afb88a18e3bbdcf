import { act, cleanup, createEvent, fireEvent, render, renderHook, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { find, Link, match, navigate, Redirect, useLocation } from "./router";

afterEach(cleanup);

function Here() {
  const { path, search } = useLocation();
  return <output>{`${path} ${search.get("next") ?? "-"}`}</output>;
}

const shown = () => screen.getByRole("status").textContent;

test.each([
  { pattern: "/", path: "/", params: {} },
  { pattern: "/settings", path: "/settings", params: {} },
  { pattern: "/settings", path: "/settings/", params: {} },
  { pattern: "/settings/:section", path: "/settings/data", params: { section: "data" } },
  { pattern: "/tags/:tag/pages/:id", path: "/tags/%ED%95%9C%2Fa/pages/7", params: { tag: "한/a", id: "7" } },
  { pattern: "/tags/:tag", path: "/tags/%E0%A4%A", params: { tag: "%E0%A4%A" } },
  { pattern: "/settings", path: "/settings/data", params: null },
  { pattern: "/settings/:section", path: "/settings", params: null },
  { pattern: "/settings", path: "/Settings", params: null },
])("$pattern at $path: $params", ({ pattern, path, params }) => {
  expect(match(pattern, path)).toEqual(params);
});

test("the first fitting route is found, or none", () => {
  const routes = [{ path: "/a" }, { path: "/:any" }];
  expect(find(routes, "/a")).toEqual({ route: { path: "/a" }, params: {} });
  expect(find(routes, "/b")).toEqual({ route: { path: "/:any" }, params: { any: "b" } });
  expect(find(routes, "/b/c")).toBeNull();
});

test("going somewhere changes the address and what is shown; going back does too", async () => {
  history.replaceState(null, "", "/one");
  render(<Here />);
  act(() => {
    navigate("/two?next=/x");
  });
  expect(location.pathname).toBe("/two");
  expect(shown()).toBe("/two /x");
  await act(async () => {
    const gone = new Promise((resolve) => {
      window.addEventListener("popstate", resolve, { once: true });
    });
    history.back();
    await gone;
  });
  expect(shown()).toBe("/one -");
});

test("a link goes there without a new page, unless another tab is asked for", () => {
  history.replaceState(null, "", "/one");
  render(
    <>
      <Link to="/two">two</Link>
      <Here />
    </>,
  );
  const link = screen.getByRole("link", { name: "two" });
  const toNewTab = createEvent.click(link, { ctrlKey: true });
  fireEvent(link, toNewTab);
  expect(toNewTab.defaultPrevented).toBe(false);
  expect(shown()).toBe("/one -");
  const plain = createEvent.click(link);
  fireEvent(link, plain);
  expect(plain.defaultPrevented).toBe(true);
  expect(shown()).toBe("/two -");
});

test("a redirect leaves no step to go back to", () => {
  history.replaceState(null, "", "/one");
  const steps = history.length;
  render(<Redirect to="/two" />);
  expect(location.pathname).toBe("/two");
  expect(history.length).toBe(steps);
});

test("a question mark may be part of what is searched for", () => {
  history.replaceState(null, "", "/?q=K2-18 b?&state=recording");
  const { result } = renderHook(() => useLocation());
  expect(result.current.path).toBe("/");
  expect([...result.current.search]).toEqual([
    ["q", "K2-18 b?"],
    ["state", "recording"],
  ]);
});
