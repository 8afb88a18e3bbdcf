/** Texts in the browser's language, or else English; dates and numbers follow the language of the texts. */
import { browser } from "@wxt-dev/browser";
import type english from "../../public/_locales/en/messages.json";

export type Key = keyof typeof english;

export function t(key: Key, ...values: readonly (string | number)[]): string {
  return browser.i18n.getMessage(key, values.map(String));
}

/** Fill in the texts of a page's HTML: `data-t` has the key. */
export function translate(page: Document): void {
  page.documentElement.lang = t("language");
  for (const element of page.querySelectorAll<HTMLElement>("[data-t]"))
    element.textContent = t(element.dataset["t"] as Key);
}
