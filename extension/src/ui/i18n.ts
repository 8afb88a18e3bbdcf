/**
 * Texts in the person's language, as the account says it; without an account in the browser's, or else English. Dates and
 * numbers follow the language of the texts.
 */
import { browser } from "@wxt-dev/browser";
import type english from "../../public/_locales/en/messages.json";
import * as keys from "../storage/keys";

export type Key = keyof typeof english;
type Messages = Readonly<Record<string, { readonly message: string } | undefined>>;

/** The person's, where it is not the browser's. */
let messages: Messages | null = null;
let loaded: string | null = null;

/** Before the first text. May be repeated: it only does something if the person's language has changed. */
export async function loadLanguage(): Promise<void> {
  const language = (await keys.person.get())?.language ?? null;
  if (language === loaded) return;
  messages = language === null || language === own("language") ? null : await read(language);
  loaded = language;
}

async function read(language: string): Promise<Messages | null> {
  try {
    const file = browser.runtime.getURL(`/_locales/${language}/messages.json` as "/");
    return (await (await fetch(file)).json()) as Messages;
  } catch {
    return null; // a language that this version doesn't have
  }
}

export function t(key: Key, ...values: readonly (string | number)[]): string {
  const message = messages?.[key]?.message;
  if (message === undefined) return own(key, ...values);
  return message.replace(/\$(\d)/g, (_, index) => String(values[Number(index) - 1] ?? ""));
}

/** In the browser's language. */
function own(key: Key, ...values: readonly (string | number)[]): string {
  return browser.i18n.getMessage(key, values.map(String));
}

/** Fill in the texts of a page's HTML: `data-t` has the key. */
export function translate(page: Document): void {
  page.documentElement.lang = t("language");
  for (const element of page.querySelectorAll<HTMLElement>("[data-t]"))
    element.textContent = t(element.dataset["t"] as Key);
}
