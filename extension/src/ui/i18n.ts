/** Words in the browser's language, where we have it; dates and numbers in the language of the words. */
import { browser } from "@wxt-dev/browser";
import type english from "../../public/_locales/en/messages.json";

export type Key = keyof typeof english;

export function t(key: Key, ...values: readonly (string | number)[]): string {
  return browser.i18n.getMessage(key, values.map(String));
}

/** Put words into what a page's HTML leaves open: `data-t` names them. */
export function translate(page: Document): void {
  page.documentElement.lang = t("language");
  for (const element of page.querySelectorAll<HTMLElement>("[data-t]"))
    element.textContent = t(element.dataset["t"] as Key);
}
