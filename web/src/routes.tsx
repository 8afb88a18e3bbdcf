/** Every screen of the app. What is not needed to sign in is loaded when it is first opened. */
import { lazy, type ComponentType } from "react";
import { ConfirmPage } from "./pages/confirm";
import { HomePage } from "./pages/home";
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

const ConnectPage = lazy(() => import("./pages/connect"));
const SettingsPage = lazy(() => import("./pages/settings"));

export const ROUTES: readonly Route[] = [
  { path: "/", screen: HomePage },
  { path: "/sign-in", screen: SignInPage },
  { path: "/sign-up", screen: SignUpPage },
  { path: "/welcome", screen: WelcomePage },
  { path: "/confirm", screen: ConfirmPage },
  { path: "/reset", screen: ResetPage },
  { path: "/connect", screen: ConnectPage, isPersonal: true },
  { path: "/settings", screen: SettingsPage, isPersonal: true },
  { path: "/settings/:section", screen: SettingsPage, isPersonal: true },
];

export const NAVIGATION = [
  { to: "/", label: "nav.overview" },
  { to: "/settings", label: "nav.settings" },
] as const;
