import { createEvent, fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { MeContext } from "../../account/me";
import { chooseLanguage, startLanguages } from "../../i18n/languages";
import type { SessionTimeline, Period } from "../timeline/periods";
import { me } from "../../testing";
import { Strip } from "./strip";

const BEGAN = Date.UTC(2026, 10, 15, 10);
const WIDTH = 640; // what is drawn where no width can be measured

const period = (from: number, to: number): Period => ({
  kind: "idle",
  from: BEGAN + from,
  to: BEGAN + to,
  isOpen: false,
  visit: null,
  highlights: [],
  shown: null,
});
const periods = [period(0, 320_000), period(320_000, 640_000)];
const timeline: SessionTimeline = {
  items: [],
  periods,
  from: BEGAN,
  to: BEGAN + 640_000,
  longest: 1,
  folded: 0,
};

beforeEach(() => {
  startLanguages();
  chooseLanguage("en");
  HTMLElement.prototype.setPointerCapture = () => undefined;
  HTMLCanvasElement.prototype.getContext = () => null;
});
function shown() {
  const choose = vi.fn();
  render(
    <MeContext value={me}>
      <Strip timeline={timeline} selected={null} zoomTarget={null} choose={choose} />
    </MeContext>,
  );
  const [strip, overview] = [...document.querySelectorAll("canvas")];
  if (!strip || !overview?.parentElement) throw new Error("nothing is drawn");
  return { choose, strip, overview: overview.parentElement };
}

/** From where to where, in minutes and seconds. */
function range(): string[] {
  const text = document.querySelector("section [aria-live]")?.textContent ?? "";
  return [...text.matchAll(/\d+:(\d\d:\d\d)\.\d{3}/g)].map(([, time]) => time ?? "");
}

const pointer = (pointerId: number, clientX: number, buttons = 1) => ({
  pointerId,
  clientX,
  button: 0,
  buttons,
});

test("a click on the strip leads to its row, the end of a drag does not", () => {
  const { choose, strip } = shown();
  fireEvent.pointerDown(strip, pointer(1, 100));
  fireEvent.pointerMove(strip, pointer(1, 140));
  fireEvent.pointerUp(strip, pointer(1, 140, 0));
  fireEvent.click(strip);
  expect(choose).not.toHaveBeenCalled();
  fireEvent.pointerDown(strip, pointer(1, 400));
  fireEvent.pointerMove(strip, pointer(1, 402)); // a hand is not that still
  fireEvent.pointerUp(strip, pointer(1, 402, 0));
  fireEvent.click(strip);
  expect(choose.mock.calls).toEqual([[periods[1]]]);
});

test("the overview is dragged, but only with the button held", () => {
  const { overview } = shown();
  for (let n = 0; n < 4; n += 1) fireEvent.click(screen.getByRole("button", { name: "Zoom in" }));
  fireEvent.pointerDown(overview, pointer(1, 160));
  const before = range();
  fireEvent.pointerMove(overview, pointer(1, 480));
  const after = range();
  expect(after).not.toEqual(before);
  expect(after[0]).toBe(minutes(480_000 - 640_000 / 1.6 ** 4 / 2));
  fireEvent.pointerMove(overview, pointer(1, 200, 0));
  expect(range()).toEqual(after);
});

function minutes(ms: number): string {
  return new Date(ms).toISOString().slice(14, 19);
}

test("the strip follows the finger", () => {
  const { strip } = shown();
  fireEvent.click(screen.getByRole("button", { name: "Zoom in" })); // from 2:00 to 8:40
  fireEvent.pointerDown(strip, pointer(1, 320));
  fireEvent.pointerMove(strip, pointer(1, 320 + WIDTH / 10));
  expect(range()).toEqual(["01:20", "08:00"]);
});

test("two fingers that part zoom in, and out again when they meet", () => {
  const { strip } = shown();
  fireEvent.pointerDown(strip, pointer(1, 280));
  fireEvent.pointerDown(strip, pointer(2, 360));
  fireEvent.pointerMove(strip, pointer(2, 440));
  expect(range()).toEqual(["03:00", "08:20"]); // half as long, around the select between them
  fireEvent.pointerMove(strip, pointer(2, 360));
  expect(range()).toEqual(["00:00", "10:40"]);
});

test("a wheel that has nothing left to zoom out of scrolls the page", () => {
  const { strip } = shown();
  const turn = (deltaY: number) => {
    const event = createEvent.wheel(strip, { deltaY, clientX: 320 });
    fireEvent(strip, event);
    return event.defaultPrevented;
  };
  expect(turn(100)).toBe(false);
  expect(turn(-100)).toBe(true);
  expect(turn(100)).toBe(true);
});

test("plus zooms in at the pointer, and what is there stays there", () => {
  const { strip } = shown();
  fireEvent.pointerMove(strip, pointer(1, 480, 0)); // 8:00 of 10:40
  fireEvent.keyDown(document.body, { key: "+" });
  expect(range()).toEqual(["03:00", "09:40"]);
});
