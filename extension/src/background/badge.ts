/** The badge on the extension's button. */
import { browser } from "@wxt-dev/browser";
import { t } from "../ui/i18n";
import type { RecordingStatus } from "./status";

type BadgeState = "off" | "waiting" | "paused" | "recording" | "offline" | "attention";

const BADGES: Readonly<Record<BadgeState, { text: string; color: string; title: () => string }>> = {
  off: { text: "", color: "#566067", title: () => t("badgeOff") },
  waiting: { text: "○", color: "#566067", title: () => t("badgeWaiting") },
  paused: { text: "II", color: "#566067", title: () => t("badgePaused") },
  recording: { text: "●", color: "#c0392b", title: () => t("badgeRecording") },
  offline: { text: "…", color: "#9c5b00", title: () => t("badgeOffline") },
  attention: { text: "!", color: "#9c5b00", title: () => t("badgeAttention") },
};

export async function showBadge(status: RecordingStatus): Promise<void> {
  const { text, color, title } = BADGES[badgeState(status)];
  await browser.action.setBadgeBackgroundColor({ color });
  await browser.action.setBadgeText({ text });
  await browser.action.setTitle({ title: title() });
}

export function badgeState({ recording, isOffline, isAutomatic, pause }: RecordingStatus): BadgeState {
  if (recording?.isInterrupted) return "attention";
  if (pause !== null && (recording !== null || isAutomatic)) return "paused";
  if (recording === null) return isAutomatic ? "waiting" : "off";
  return isOffline ? "offline" : "recording";
}

/** A sign for a moment: what a key or the context menu did. */
export async function flashBadge(text: "✓" | "!"): Promise<void> {
  await browser.action.setBadgeBackgroundColor({ color: text === "✓" ? "#1c7d45" : "#9c5b00" });
  await browser.action.setBadgeText({ text });
}
