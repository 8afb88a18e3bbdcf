import { render } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useCurrentInSight } from "./use-current-in-sight";

function Tabs({ current }: { readonly current: string }) {
  const row = useCurrentInSight(current);
  return (
    <nav ref={row}>
      {["first", "second", "last"].map((name) => (
        <a key={name} href={`#${name}`} aria-current={name === current ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

test("the current one of a row of links that is wider than the screen is in its middle", () => {
  vi.spyOn(HTMLElement.prototype, "offsetLeft", "get").mockImplementation(function (this: HTMLElement) {
    return 200 * [...(this.parentElement?.children ?? [])].indexOf(this);
  });
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(100);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(300);
  const { container, rerender } = render(<Tabs current="last" />);
  const row = container.querySelector("nav");
  expect(row?.scrollLeft).toBe(300);
  rerender(<Tabs current="second" />);
  expect(row?.scrollLeft).toBe(100);
});
