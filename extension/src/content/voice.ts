/** Says what the page has to say, one thing after the other, each until it is answered: the listener may die meanwhile. */
import { browser } from "@wxt-dev/browser";
import type { PageMessage, PageReply, PageWord } from "../messages";

const FIRST_MS = 40;
const LONGEST_MS = 2_000;
const TRIES = 12;

type Send = (message: PageMessage) => Promise<PageReply | undefined>;

export class Voice {
  private readonly id = Math.random().toString(36).slice(2);
  private readonly send: Send;
  private readonly onOver: () => void;
  private count = 0;
  private line: Promise<void> = Promise.resolve();

  constructor(onOver: () => void, send: Send = (message) => browser.runtime.sendMessage(message)) {
    this.onOver = onOver;
    this.send = send;
  }

  say(word: PageWord): Promise<void> {
    this.count += 1;
    const message = { ...word, message: `${this.id} ${this.count}` };
    this.line = this.line.then(() => this.repeat(message));
    return this.line;
  }

  private async repeat(message: PageMessage): Promise<void> {
    for (let failure = 0; failure < TRIES; failure++) {
      if (await this.isHeard(message)) return;
      const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** failure);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  private async isHeard(message: PageMessage): Promise<boolean> {
    try {
      const reply = await this.send(message);
      if (reply?.isOn === false) this.onOver();
      return reply !== undefined;
    } catch {
      return false; // whoever listened is gone
    }
  }
}
