/** What stands around every screen: the name, the ways to go, the person, and the main landmark. */
import { useQuery } from "@tanstack/react-query";
import { useRef, type ReactNode } from "react";
import { useTranslation } from "../../i18n/translation";
import { meQuery } from "../../account/me";
import { OfflineBanner } from "./offline-banner";
import { Logo } from "./logo";
import { InboxLink } from "../../reminders/inbox-link";
import { AccountMenu } from "./account-menu";
import { Link, useLocation } from "../router";
import { NAVIGATION } from "../routes";
import { Shortcuts } from "../shortcuts";
import { SearchButton } from "../../search/search-button";
import { LanguageSwitch } from "./language-switch";
import { ThemeSwitch } from "./theme-switch";
import { useRestoredFocus } from "./restore-focus";
import { UndoBar } from "../../ui/undo-bar";
import styles from "./shell.module.css";

export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { data: me } = useQuery(meQuery);
  const main = useRef<HTMLElement>(null);
  useRestoredFocus(main);
  return (
    <>
      <a
        className={styles["skip"]}
        href="#content"
        onClick={(event) => {
          // What stands after `#` is for tokens.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t("app.skip")}
      </a>
      <header className={styles["header"]} data-signed-in={me ? true : undefined}>
        <Link className={styles["brand"]} to="/" aria-label={t("app.home")}>
          <Logo />
          <span>MindHit</span>
        </Link>
        {me ? (
          <>
            <SearchButton isOwner={me.role === "owner"} />
            <Navigation isOwner={me.role === "owner"} />
            <InboxLink me={me} />
            <AccountMenu me={me} />
          </>
        ) : (
          <div className={styles["switches"]}>
            <LanguageSwitch />
            <ThemeSwitch />
          </div>
        )}
      </header>
      {me !== null && <OfflineBanner />}
      <main id="content" className={styles["content"]} ref={main} tabIndex={-1}>
        {children}
        {me && <UndoBar />}
      </main>
      {me && <Shortcuts isOwner={me.role === "owner"} />}
    </>
  );
}

function Navigation({ isOwner }: { readonly isOwner: boolean }) {
  const { t } = useTranslation();
  const { path } = useLocation();
  return (
    <nav className={styles["navigation"]} aria-label={t("app.nav.label")}>
      {NAVIGATION.filter(({ isOwners }) => isOwner || !isOwners).map(({ to, label }) => (
        <Link key={to} to={to} aria-current={isAt(to, path) ? "page" : undefined}>
          {t(label)}
        </Link>
      ))}
    </nav>
  );
}

function isAt(to: string, path: string): boolean {
  return to === "/"
    ? path === "/" || path.startsWith("/sessions/")
    : path === to || path.startsWith(`${to}/`);
}
