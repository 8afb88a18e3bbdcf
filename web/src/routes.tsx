/** Every screen of the app. What is not needed to sign in is loaded when it is first opened. */
import { lazy, type ComponentType } from "react";
import { ConfirmPage } from "./pages/confirm";
import { HomePage, loadDashboard } from "./pages/home";
import { ResetPage } from "./pages/reset";
import { SignInPage } from "./pages/sign-in";
import { SignUpPage } from "./pages/sign-up";
import { WelcomePage } from "./pages/welcome";
import type { Params } from "./router";

export interface Route {
  readonly path: string;
  readonly screen: ComponentType<{ readonly params: Params }>;
  /** Who is not signed in does that first and then comes back. */
  readonly isPersonal?: true;
}

const later = {
  connect: () => import("./pages/connect"),
  firstSteps: () => import("./pages/first-steps"),
  operations: () => import("./pages/operations"),
  session: () => import("./pages/session"),
  settings: () => import("./pages/settings"),
};

const ConnectPage = lazy(later.connect);
const FirstStepsPage = lazy(later.firstSteps);
const OperationsPage = lazy(later.operations);
const SessionPage = lazy(later.session);
const SettingsPage = lazy(later.settings);

export const ROUTES: readonly Route[] = [
  { path: "/", screen: HomePage },
  { path: "/sign-in", screen: SignInPage },
  { path: "/sign-up", screen: SignUpPage },
  { path: "/welcome", screen: WelcomePage },
  { path: "/confirm", screen: ConfirmPage },
  { path: "/reset", screen: ResetPage },
  { path: "/first-steps", screen: FirstStepsPage, isPersonal: true },
  { path: "/sessions", screen: HomePage, isPersonal: true },
  { path: "/sessions/:id", screen: SessionPage, isPersonal: true },
  { path: "/operations", screen: OperationsPage, isPersonal: true },
  { path: "/connect", screen: ConnectPage, isPersonal: true },
  { path: "/settings", screen: SettingsPage, isPersonal: true },
  { path: "/settings/:section", screen: SettingsPage, isPersonal: true },
];

export const NAVIGATION = [
  { to: "/", label: "nav.overview", isOwners: false },
  { to: "/operations", label: "nav.operations", isOwners: true },
  { to: "/settings", label: "nav.settings", isOwners: false },
] as const;

/** Scripts of the screen that the address asks for are fetched while the server is asked who is there. */
export function loadAhead(path: string): void {
  if (path === "/") void loadDashboard();
  else if (path.startsWith("/sessions/")) void later.session();
}
