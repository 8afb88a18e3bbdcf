/** The strip as pixels: a lane of visits, and below it what was no visit. */
import type { Kind, Line, Stretch } from "../../sessions/stretches";
import { liftOf } from "../../sessions/hues";
import type { View } from "./view";

export const STRIP_HEIGHT = 92;
export const OVERVIEW_HEIGHT = 16;

export interface Scene {
  readonly line: Line;
  readonly hues: ReadonlyMap<string, number>;
  readonly view: View;
  readonly width: number;
  readonly pointed: string | null;
  readonly isDark: boolean;
}

const LANE = { top: 8, height: 60 } as const;
const REST = { top: 72, height: 12 } as const;

export function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { line, view, width, pointed } = scene;
  prepare(context, width, STRIP_HEIGHT);
  context.fillStyle = scene.isDark ? "#15181a" : "#faf8f5";
  context.fillRect(0, LANE.top, width, LANE.height);
  const scale = width / (view.to - view.from);
  for (const stretch of line.stretches) {
    if (stretch.to < view.from || stretch.from > view.to) continue;
    const x = (stretch.from - view.from) * scale;
    const length = Math.max((stretch.to - stretch.from) * scale, 1);
    const isFocused = stretch.kind === "focused";
    // A hair's breadth between neighbours, where there is room for it.
    const shown = isFocused && length > 4 ? length - 1 : length;
    if (isFocused) block(context, stretch, x, shown, scene);
    else {
      context.fillStyle = colourOf(stretch, scene);
      rest(context, stretch.kind, x, shown);
    }
    if (isFocused && stretch.visit && length > 26) label(context, stretch, x, length, scene);
    if (stretch.marks.length > 0) flag(context, stretch, view, scale, scene.isDark);
    if (pointed !== null && keyOf(stretch) === pointed) outline(context, x, length, scene.isDark);
  }
}

/** The same, small and without letters: where one is, while looking closely. */
export function drawOverview(
  context: CanvasRenderingContext2D,
  scene: Omit<Scene, "view" | "pointed">,
): void {
  const { line, width } = scene;
  prepare(context, width, OVERVIEW_HEIGHT);
  const scale = width / (line.to - line.from);
  for (const stretch of line.stretches) {
    if (stretch.kind !== "focused") continue;
    context.fillStyle = colourOf(stretch, scene);
    const length = Math.max((stretch.to - stretch.from) * scale, 0.75);
    context.fillRect((stretch.from - line.from) * scale, 0, length, OVERVIEW_HEIGHT);
  }
}

function prepare(context: CanvasRenderingContext2D, width: number, height: number): void {
  const sharp = globalThis.devicePixelRatio || 1;
  const { canvas } = context;
  if (canvas.width !== Math.round(width * sharp) || canvas.height !== Math.round(height * sharp)) {
    canvas.width = Math.round(width * sharp);
    canvas.height = Math.round(height * sharp);
  }
  context.setTransform(sharp, 0, 0, sharp, 0, 0);
  context.clearRect(0, 0, width, height);
}

const BAND = 5;

/** Light enough to be written on, under a band of the full colour; what is too narrow for that is all band. */
function block(
  context: CanvasRenderingContext2D,
  stretch: Stretch,
  x: number,
  length: number,
  scene: Scene,
): void {
  context.fillStyle = colourOf(stretch, scene);
  if (length < BAND) {
    context.fillRect(x, LANE.top, length, LANE.height);
    return;
  }
  context.fillRect(x, LANE.top, length, BAND);
  const hue = hueOf(stretch, scene.hues);
  context.fillStyle = scene.isDark ? `oklch(36% 0.06 ${hue})` : `oklch(89% 0.06 ${hue})`;
  context.fillRect(x, LANE.top + BAND, length, LANE.height - BAND);
}

function hueOf({ visit }: Stretch, hues: Scene["hues"]): number {
  return hues.get(visit?.domain ?? "") ?? 0;
}

/** As `--site` of sessions.css. */
function colourOf(stretch: Stretch, { hues, isDark }: Pick<Scene, "hues" | "isDark">): string {
  const hue = hueOf(stretch, hues);
  const { kind } = stretch;
  if (kind === "focused")
    return isDark ? `oklch(74% 0.11 ${hue})` : `oklch(${62 + liftOf(hue)}% 0.14 ${hue})`;
  if (kind === "unfocused") return isDark ? `oklch(48% 0.06 ${hue})` : `oklch(78% 0.07 ${hue})`;
  if (kind === "asleep") return isDark ? "#5d6a76" : "#3f4a54";
  return isDark ? "#7b858b" : "#8b8f8f";
}

/** Below the lane: half a bar for another program, strokes for idle, solid for asleep, dots for no page. */
function rest(context: CanvasRenderingContext2D, kind: Kind, x: number, length: number): void {
  const { top, height } = REST;
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

function label(
  context: CanvasRenderingContext2D,
  stretch: Stretch,
  x: number,
  length: number,
  scene: Scene,
): void {
  const { domain, title } = stretch.visit ?? { domain: "", title: null };
  const left = Math.max(x, 0) + 6;
  const room = Math.min(x + length, scene.width) - left - 4;
  if (room < 20) return;
  context.save();
  context.beginPath();
  context.rect(left, LANE.top, room, LANE.height);
  context.clip();
  context.fillStyle = scene.isDark ? "#f0f3f2" : "#1f2528";
  context.font = "600 12px system-ui, sans-serif";
  context.fillText(domain.replace(/^www\./, "").slice(0, 60), left, LANE.top + 26);
  if (room > 90 && title !== null) {
    context.font = "11px system-ui, sans-serif";
    context.fillText(title.slice(0, 120), left, LANE.top + 43);
  }
  context.restore();
}

/** A highlight stands above the lane where it was made. */
function flag(
  context: CanvasRenderingContext2D,
  { marks }: Stretch,
  view: View,
  scale: number,
  isDark: boolean,
): void {
  context.fillStyle = isDark ? "#e3a55c" : "#b86b1c";
  for (const mark of marks) {
    const x = (Date.parse(mark.created_at) - view.from) * scale;
    context.beginPath();
    context.moveTo(x - 4, 0);
    context.lineTo(x + 4, 0);
    context.lineTo(x, 7);
    context.fill();
  }
}

function outline(context: CanvasRenderingContext2D, x: number, length: number, isDark: boolean): void {
  context.strokeStyle = isDark ? "#e7e9e8" : "#1f2528";
  context.lineWidth = 2;
  context.strokeRect(x - 1, LANE.top - 1, Math.max(length, 2) + 1, STRIP_HEIGHT - LANE.top - 6);
}

function keyOf(stretch: Stretch): string {
  return stretch.visit?.id ?? `${stretch.kind} ${stretch.from}`;
}
