/** The entries in the context menu: of a selection, and of a page. */
import { browser } from "@wxt-dev/browser";
import { loadLanguage, t } from "../ui/i18n";

export const MENU = "highlight";
export const SAVE_MENU = "save";
export const REMIND_MENU = "remind";

export function createMenu(): void {
  browser.contextMenus.removeAll(() => {
    browser.contextMenus.create({ id: MENU, contexts: ["selection"], title: t("menuHighlight") });
    browser.contextMenus.create({ id: SAVE_MENU, contexts: ["page"], title: t("savePage") });
    browser.contextMenus.create({ id: REMIND_MENU, contexts: ["page"], title: t("remindPage") });
    void nameMenu();
  });
}

/** In the person's language, which may have changed. */
export async function nameMenu(): Promise<void> {
  await loadLanguage();
  await browser.contextMenus.update(SAVE_MENU, { title: t("savePage") });
  await browser.contextMenus.update(REMIND_MENU, { title: t("remindPage") });
  await browser.contextMenus.update(MENU, { title: t("menuHighlight") });
}
