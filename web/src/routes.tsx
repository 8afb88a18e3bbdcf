/** Every screen of the app. What people look at daily is in the first script; the rest is loaded when it is opened. */
import { lazy, type ComponentType } from "react";
import { ConfirmPage } from "./pages/confirm";
import { HomePage } from "./pages/home";
import { ResetPage } from "./pages/reset";
import { SessionPage } from "./pages/session";
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

const ConnectPage = lazy(() => import("./pages/connect"));
const FirstStepsPage = lazy(() => import("./pages/first-steps"));
const OperationsPage = lazy(() => import("./pages/operations"));
const SettingsPage = lazy(() => import("./pages/settings"));

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
