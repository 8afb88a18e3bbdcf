/** What stands around every screen: the name, the ways to go, the person, and the main landmark. */
import "./shell.css";
import { useQuery } from "@tanstack/react-query";
import { useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { meQuery } from "./account/me";
import { Banner } from "./banner";
import { Mark } from "./mark";
import { AccountMenu } from "./menu";
import { Link, useLocation } from "./router";
import { NAVIGATION } from "./routes";
import { Shortcuts } from "./shortcuts";
import { LanguageSwitch, ThemeSwitch } from "./switches";
import { useKeptFocus } from "./ui/focus";

export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { data: me } = useQuery(meQuery);
  const main = useRef<HTMLElement>(null);
  useKeptFocus(main);
  return (
    <>
      <a
        className="skip"
        href="#content"
        onClick={(event) => {
          // What stands after `#` is for tokens.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t("shell.skip")}
      </a>
      <header className="top" data-signed-in={me ? true : undefined}>
        <Link className="brand" to="/" aria-label={t("shell.home")}>
          <Mark />
          <span>MindHit</span>
        </Link>
        {me ? (
          <>
            <Navigation isOwner={me.role === "owner"} />
            <AccountMenu me={me} />
          </>
        ) : (
          <div className="switches">
            <LanguageSwitch />
            <ThemeSwitch />
          </div>
        )}
      </header>
      {me && <Banner />}
      <main id="content" ref={main} tabIndex={-1}>
        {children}
      </main>
      {me && <Shortcuts isOwner={me.role === "owner"} />}
    </>
  );
}

function Navigation({ isOwner }: { readonly isOwner: boolean }) {
  const { t } = useTranslation();
  const { path } = useLocation();
  return (
    <nav className="ways" aria-label={t("nav.label")}>
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
