/** Is all well, and if not, what is it? Pure. */
import { SILENCE_MS } from "@mindhit/client";
import type { Capture, Depth, Job, System } from "./api";

const LATE_S = 60;
/** The shortest schedule ticks every minute. */
const TICK_MS = 300_000;

/** It records, and a browser that records says something every minute. */
export function isStopped({ recording, last_batch_at }: Capture, now: number): boolean {
  return recording > 0 && last_batch_at !== null && now - Date.parse(last_batch_at) > SILENCE_MS;
}

export function isLate(oldestS: number | null): boolean {
  return (oldestS ?? 0) > LATE_S;
}

/** `awaited`: it has never ticked, but the server has only just been started. */
export function tickingOf(system: System, now: number): "ticks" | "late" | "awaited" | "never" {
  const { scheduled_at: at, up_s } = system;
  if (at === null) return up_s * 1_000 < TICK_MS ? "awaited" : "never";
  return now - Date.parse(at) > TICK_MS ? "late" : "ticks";
}

export interface Known {
  readonly now: number;
  readonly system: System;
  readonly devices: readonly Capture[];
  readonly depths: readonly Depth[];
  readonly dead: readonly Job[];
}

export interface Troubles {
  readonly dead: number;
  readonly late: number;
  readonly stopped: number;
  readonly ticking: ReturnType<typeof tickingOf>;
}

export function troublesOf({ now, system, devices, depths, dead }: Known): Troubles {
  const late = depths.filter(({ oldest_ready_s }) => isLate(oldest_ready_s));
  return {
    dead: dead.length,
    late: new Set(late.map(({ queue }) => queue)).size,
    stopped: devices.filter((device) => isStopped(device, now)).length,
    ticking: tickingOf(system, now),
  };
}
