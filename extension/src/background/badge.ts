/** The mark on the extension's button: recording, or recording while the server is away. */
import { browser } from "@wxt-dev/browser";

export type Mark = "off" | "on" | "offline" | "attention";

const LOOKS: Readonly<Record<Mark, { text: string; colour: string }>> = {
  off: { text: "", colour: "#566067" },
  on: { text: "●", colour: "#c0392b" },
  offline: { text: "…", colour: "#9c5b00" },
  attention: { text: "!", colour: "#9c5b00" },
};

export async function show(mark: Mark): Promise<void> {
  const { text, colour } = LOOKS[mark];
  await browser.action.setBadgeBackgroundColor({ color: colour });
  await browser.action.setBadgeText({ text });
}
