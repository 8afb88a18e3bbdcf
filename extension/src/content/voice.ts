/**
 * Says what the page has to say until it is answered, which is when it is stored: the listener may die meanwhile. All that
 * is unanswered is said together and in order. It gives up only with the page, or with the extension.
 */
import { browser } from "@wxt-dev/browser";
import type { PageMessage, PageReply, PageSpeech, PageWord, Place } from "../messages";
import { stash } from "./stash";

const FIRST_MS = 40;
const LONGEST_MS = 30_000;

type Send = (speech: PageSpeech) => Promise<PageReply | undefined>;
type Keep = (word: PageMessage, place: Place | null) => void;

export class Voice {
  private readonly id = Math.random().toString(36).slice(2);
  private readonly send: Send;
  private readonly keep: Keep;
  private readonly onOver: () => void;
  private place: Place | null = null;
  private unanswered: readonly PageMessage[] = [];
  private count = 0;
  private failures = 0;
  private isOver = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    onOver: () => void,
    send: Send = (speech) => browser.runtime.sendMessage(speech),
    keep: Keep = stash,
  ) {
    this.onOver = onOver;
    this.send = send;
    this.keep = keep;
  }

  say(word: PageWord): Promise<void> {
    this.count += 1;
    const said = { ...word, message: `${this.id} ${this.count}` };
    this.unanswered = [...this.unanswered, said];
    this.keep(said, this.place);
    return this.speak();
  }

  /** Ask who is there: only whoever answers knows where this page is. */
  async hail(): Promise<void> {
    await this.isHeard({ words: [] });
  }

  /** What nobody has answered, for somebody who says where this page is. */
  tell(place: Place): PageSpeech {
    this.place = place;
    return { words: this.unanswered };
  }

  /** Whoever did not answer may be gone, and there is somebody new. */
  sayAgain(): Promise<void> {
    return this.unanswered.length > 0 ? this.speak() : Promise.resolve();
  }

  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  private async speak(): Promise<void> {
    clearTimeout(this.timer);
    if (this.isOver) return;
    const words = this.unanswered;
    if (await this.isHeard({ words })) {
      this.failures = 0;
      this.unanswered = this.unanswered.filter((word) => !words.includes(word));
    } else {
      const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.failures);
      this.failures += 1;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.sayAgain(), wait);
    }
  }

  private async isHeard(speech: PageSpeech): Promise<boolean> {
    try {
      const reply = await this.send(speech);
      this.place = reply?.place ?? this.place;
      if (reply?.isOn === false) this.onOver();
      return reply !== undefined;
    } catch {
      return false; // whoever listened is gone
    }
  }
}
