import { act, cleanup, createEvent, fireEvent, render, renderHook, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Route } from "wouter";
import { AppRouter, Link, navigate, Redirect, useCameFrom, useLocation } from "./router";

afterEach(cleanup);

function Here() {
  const { path, search } = useLocation();
  return <output>{`${path} ${search.get("next") ?? "-"}`}</output>;
}

function From() {
  return <p>{useCameFrom() ?? "-"}</p>;
}

const shown = () => screen.getByRole("status").textContent;

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
    <AppRouter>
      <Link to="/two">two</Link>
      <Here />
      <Route path="/two">
        <From />
      </Route>
    </AppRouter>,
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
  expect(screen.getByRole("paragraph").textContent).toBe("/one");
});

test("a redirect leaves no step to go back to", () => {
  history.replaceState(null, "", "/one");
  const steps = history.length;
  render(<Redirect to="/two" replace />, { wrapper: AppRouter });
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
