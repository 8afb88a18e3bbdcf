/**
 * Every screen of the app. The overview is in the first script; every other screen is loaded when it is opened, or when
 * somebody points at a link to it (`preload.ts`).
 */
import { lazy, type ComponentType } from "react";
import type { Params } from "./router";
import { HomeScreen } from "./home";

type Screen = ComponentType<{ readonly params: Params }>;
type Load = () => Promise<{ default: Screen }>;

export interface Route {
  readonly path: string;
  readonly screen: Screen;
  /** Fetches the screen's script. */
  readonly load?: Load;
  /** Who is not signed in does that first and then comes back. */
  readonly isPersonal?: true;
}

export const ROUTES: readonly Route[] = [
  { path: "/", screen: HomeScreen },
  open("/sign-in", () => import("../account/sign-in")),
  open("/sign-up", () => import("../account/sign-up")),
  open("/welcome", () => import("../account/become-owner")),
  open("/confirm", () => import("../account/confirm-email")),
  open("/reset", () => import("../account/reset-password")),
  personal("/first-steps", () => import("../setup/first-steps-screen")),
  { path: "/sessions", screen: HomeScreen, isPersonal: true },
  personal("/sessions/:id", () => import("../session/session-screen")),
  personal("/together", () => import("../together/together-screen")),
  personal("/library", () => import("../library/library-screen")),
  personal("/library/import", () => import("../library/import-screen")),
  personal("/library/dead", () => import("../library/dead-links-screen")),
  personal("/library/pages/:id", () => import("../library/page-screen")),
  personal("/highlights", () => import("../highlights/highlights-screen")),
  personal("/pages/:id", () => import("../visited/visited-screen")),
  personal("/reminders", () => import("../reminders/reminders-screen")),
  personal("/shops", () => import("../shops/schedules-screen")),
  personal("/shops/add", () => import("../shops/add-screen")),
  personal("/shops/schedules/:id", () => import("../shops/schedule-screen")),
  personal("/shops/runs", () => import("../shops/runs-screen")),
  personal("/shops/runs/:id", () => import("../shops/run-screen")),
  personal("/shops/products", () => import("../shops/products-screen")),
  personal("/shops/products/:id", () => import("../shops/product-screen")),
  personal("/shops/failed", () => import("../shops/failed-screen")),
  personal("/shops/alerts", () => import("../shops/alerts-screen")),
  personal("/inbox", () => import("../reminders/inbox-screen")),
  personal("/search", () => import("../search/search-screen")),
  personal("/operations", () => import("../operations/operations-screen")),
  personal("/connect", () => import("../setup/connect-extension")),
  personal("/settings/:section?", () => import("../settings/settings-screen")),
];

export const NAVIGATION = [
  { to: "/", label: "app.nav.overview", isOwners: false },
  { to: "/library", label: "app.nav.library", isOwners: false },
  { to: "/highlights", label: "app.nav.highlights", isOwners: false },
  { to: "/reminders", label: "app.nav.reminders", isOwners: false },
  { to: "/shops", label: "app.nav.shops", isOwners: false },
  { to: "/operations", label: "app.nav.operations", isOwners: true },
  { to: "/settings", label: "app.nav.settings", isOwners: false },
] as const;

function open(path: string, load: Load): Route {
  return { path, load, screen: lazy(load) };
}

function personal(path: string, load: Load): Route {
  return { ...open(path, load), isPersonal: true };
}
