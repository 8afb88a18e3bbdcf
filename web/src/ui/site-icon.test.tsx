import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { SiteIcon } from "./site-icon";

afterEach(cleanup);

const ICON = "/v1/icons/0123456789abcdef0123456789abcdef";
const shown = (favicon: string | null) => {
  const { container } = render(<SiteIcon domain="site.example" favicon={favicon} />);
  return { picture: container.querySelector("img"), container };
};

test("an icon that the server has is drawn, in a place of its own size", () => {
  const { picture } = shown(ICON);
  expect(picture?.getAttribute("src")).toBe(ICON);
  expect(picture?.getAttribute("alt")).toBe("");
  expect(picture?.getAttribute("loading")).toBe("lazy");
  expect(picture?.width).toBe(picture?.height);
});

test.each([
  null,
  "https://site.example/favicon.ico",
  "http://site.example/favicon.ico",
  "//site.example/v1/icons/x",
  "https://site.example/v1/icons/x",
  "data:image/png;base64,AAAA",
])("nothing is fetched for %s: a letter stands for the site", (favicon) => {
  const { picture, container } = shown(favicon);
  expect(picture).toBeNull();
  expect(container.textContent).toBe("S");
});

test("where an icon does not come, a letter takes its place; the next icon is tried again", () => {
  const { container, rerender } = render(<SiteIcon domain="site.example" favicon={ICON} />);
  const picture = container.querySelector("img");
  if (picture !== null) fireEvent.error(picture);
  expect(container.querySelector("img")).toBeNull();
  expect(container.textContent).toBe("S");
  rerender(<SiteIcon domain="site.example" favicon={`${ICON}0`} />);
  expect(container.querySelector("img")).not.toBeNull();
});
