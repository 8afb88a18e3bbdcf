/** The badge on the extension's button. */
import { browser } from "@wxt-dev/browser";
import type { RecordingStatus } from "./status";

type BadgeState = "off" | "recording" | "offline" | "attention";

const BADGES: Readonly<Record<BadgeState, { text: string; color: string }>> = {
  off: { text: "", color: "#566067" },
  recording: { text: "●", color: "#c0392b" },
  offline: { text: "…", color: "#9c5b00" },
  attention: { text: "!", color: "#9c5b00" },
};

export async function showBadge(status: RecordingStatus): Promise<void> {
  const { text, color } = BADGES[badgeState(status)];
  await browser.action.setBadgeBackgroundColor({ color });
  await browser.action.setBadgeText({ text });
}

function badgeState({ recording, isOffline }: RecordingStatus): BadgeState {
  if (recording === null) return "off";
  if (recording.isInterrupted) return "attention";
  return isOffline ? "offline" : "recording";
}
