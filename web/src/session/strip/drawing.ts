/** Draws the strip: a lane of focused visits, and below it everything else. Colours and sizes are in ui/styles/tokens.css. */
import { tintOf, type Tint } from "../../ui/domain-colors";
import { color, size } from "../../ui/styles/tokens";
import { keyOf, type Kind, type Period, type SessionTimeline } from "../timeline/periods";
import { fitted } from "./labels";
import type { View } from "./view";

export const STRIP_HEIGHT = size("strip-height");
export const MINIMAP_HEIGHT = size("minimap-height");

export interface Scene {
  readonly timeline: SessionTimeline;
  readonly view: View;
  readonly width: number;
  readonly selected: string | null;
  /** Of these visits alone nothing fades; null: of none. */
  readonly lit: ReadonlySet<string> | null;
  readonly isDark: boolean;
}

const VISITS = { top: size("strip-visits-top"), height: size("strip-visits-height") } as const;
const PAUSES = { top: size("strip-pauses-top"), height: size("strip-pauses-height") } as const;
const FADED = 0.22;
const BAND = size("strip-visit-band");

export function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { timeline, view, width, selected, isDark } = scene;
  prepare(context, width, STRIP_HEIGHT);
  context.fillStyle = color("strip-ground", isDark);
  context.fillRect(0, VISITS.top, width, VISITS.height);
  const scale = width / (view.to - view.from);
  for (const period of timeline.periods) {
    if (period.to < view.from || period.from > view.to) continue;
    const x = (period.from - view.from) * scale;
    const length = Math.max((period.to - period.from) * scale, 1);
    const isFocused = period.kind === "focused";
    context.globalAlpha = scene.lit === null || scene.lit.has(keyOf(period)) ? 1 : FADED;
    // A pixel between neighbours, where there is room for it.
    const shown = isFocused && length > 4 ? length - 1 : length;
    if (isFocused) drawVisit(context, period, x, shown, scene);
    else {
      context.fillStyle = colorOf(period, scene);
      drawPause(context, period.kind, x, shown);
    }
    if (isFocused && period.visit && length > 26) drawLabel(context, period, x, length, scene);
    if (period.highlights.length > 0) drawHighlights(context, period, view, scale, isDark);
    if (selected !== null && keyOf(period) === selected) drawSelection(context, x, length, isDark);
  }
  context.globalAlpha = 1;
}

/** All focused visits, small and without labels: shows where the strip is zoomed in. */
export function drawMinimap(
  context: CanvasRenderingContext2D,
  scene: Omit<Scene, "view" | "selected" | "lit">,
): void {
  const { timeline, width } = scene;
  prepare(context, width, MINIMAP_HEIGHT);
  const scale = width / (timeline.to - timeline.from);
  for (const period of timeline.periods) {
    if (period.kind !== "focused") continue;
    context.fillStyle = colorOf(period, scene);
    const length = Math.max((period.to - period.from) * scale, 0.75);
    context.fillRect((period.from - timeline.from) * scale, 0, length, MINIMAP_HEIGHT);
  }
}

function prepare(context: CanvasRenderingContext2D, width: number, height: number): void {
  const ratio = globalThis.devicePixelRatio || 1;
  const { canvas } = context;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
}

/** A block light enough for a label, under a band of the full colour; a narrow visit is all band. */
function drawVisit(
  context: CanvasRenderingContext2D,
  period: Period,
  x: number,
  length: number,
  scene: Scene,
): void {
  context.fillStyle = colorOf(period, scene);
  if (length < BAND) {
    context.fillRect(x, VISITS.top, length, VISITS.height);
    return;
  }
  context.fillRect(x, VISITS.top, length, BAND);
  context.fillStyle = color("site-block", scene.isDark, tintOfPeriod(period));
  context.fillRect(x, VISITS.top + BAND, length, VISITS.height - BAND);
}

function tintOfPeriod({ visit }: Period): Tint {
  return tintOf(visit?.domain ?? "");
}

const TOKENS = {
  focused: "site",
  unfocused: "site-unfocused",
  idle: "strip-idle",
  asleep: "strip-asleep",
  no_page: "strip-no-page",
} as const satisfies Record<Kind, string>;

function colorOf(period: Period, { isDark }: Pick<Scene, "isDark">): string {
  return color(TOKENS[period.kind], isDark, tintOfPeriod(period));
}

/** Below the visits: half a bar for another program, strokes for idle, solid for asleep, dots for no page. */
function drawPause(context: CanvasRenderingContext2D, kind: Kind, x: number, length: number): void {
  const { top, height } = PAUSES;
  if (kind === "unfocused") context.fillRect(x, top + height / 4, length, height / 2);
  else if (kind === "asleep") context.fillRect(x, top, length, height);
  else if (kind === "idle") {
    for (let at = Math.max(x, -8); at < Math.min(x + length, 8_000); at += 4)
      context.fillRect(at, top, 1.5, height);
  } else {
    for (let at = Math.max(x, -8); at < Math.min(x + length, 8_000); at += 6)
      context.fillRect(at, top + height / 2 - 1, 2, 2);
  }
}

function drawLabel(
  context: CanvasRenderingContext2D,
  period: Period,
  x: number,
  length: number,
  scene: Scene,
): void {
  const { domain, title } = period.visit ?? { domain: "", title: null };
  const left = Math.max(x, 0) + 6;
  const room = Math.min(x + length, scene.width) - left - 4;
  if (room < 20) return;
  const write = (text: string, font: string, y: number) => {
    context.font = font;
    const shown = fitted(text, room, (each) => context.measureText(each).width);
    if (shown !== "") context.fillText(shown, left, VISITS.top + y);
  };
  context.fillStyle = color("strip-label", scene.isDark);
  write(domain.replace(/^www\./, ""), "600 12px system-ui, sans-serif", 26);
  if (room > 90 && title !== null) write(title, "11px system-ui, sans-serif", 43);
}

/** A flag above the visit, where the highlight was made. */
function drawHighlights(
  context: CanvasRenderingContext2D,
  { highlights }: Period,
  view: View,
  scale: number,
  isDark: boolean,
): void {
  context.fillStyle = color("strip-highlight", isDark);
  for (const highlight of highlights) {
    const x = (Date.parse(highlight.created_at) - view.from) * scale;
    context.beginPath();
    context.moveTo(x - 4, 0);
    context.lineTo(x + 4, 0);
    context.lineTo(x, 7);
    context.fill();
  }
}

function drawSelection(context: CanvasRenderingContext2D, x: number, length: number, isDark: boolean): void {
  context.strokeStyle = color("strip-selection", isDark);
  context.lineWidth = 2;
  context.strokeRect(x - 1, VISITS.top - 1, Math.max(length, 2) + 1, STRIP_HEIGHT - VISITS.top - 6);
}
