/** Every screen of the app. What people look at daily is in the first script; the rest is loaded when it is opened. */
import { lazy, type ComponentType } from "react";
import { ConfirmEmailScreen } from "../account/confirm-email";
import { HomeScreen } from "./home";
import { ResetPasswordScreen } from "../account/reset-password";
import { SessionScreen } from "../session/session-screen";
import { SignInScreen } from "../account/sign-in";
import { SignUpScreen } from "../account/sign-up";
import { BecomeOwnerScreen } from "../account/become-owner";
import type { Params } from "./router";

export interface Route {
  readonly path: string;
  readonly screen: ComponentType<{ readonly params: Params }>;
  /** Who is not signed in does that first and then comes back. */
  readonly isPersonal?: true;
}

const ConnectExtensionScreen = lazy(() => import("../setup/connect-extension"));
const FirstStepsScreen = lazy(() => import("../setup/first-steps-screen"));
const OperationsScreen = lazy(() => import("../operations/operations-screen"));
const SettingsScreen = lazy(() => import("../settings/settings-screen"));

export const ROUTES: readonly Route[] = [
  { path: "/", screen: HomeScreen },
  { path: "/sign-in", screen: SignInScreen },
  { path: "/sign-up", screen: SignUpScreen },
  { path: "/welcome", screen: BecomeOwnerScreen },
  { path: "/confirm", screen: ConfirmEmailScreen },
  { path: "/reset", screen: ResetPasswordScreen },
  { path: "/first-steps", screen: FirstStepsScreen, isPersonal: true },
  { path: "/sessions", screen: HomeScreen, isPersonal: true },
  { path: "/sessions/:id", screen: SessionScreen, isPersonal: true },
  { path: "/operations", screen: OperationsScreen, isPersonal: true },
  { path: "/connect", screen: ConnectExtensionScreen, isPersonal: true },
  { path: "/settings", screen: SettingsScreen, isPersonal: true },
  { path: "/settings/:section", screen: SettingsScreen, isPersonal: true },
];

export const NAVIGATION = [
  { to: "/", label: "app.nav.overview", isOwners: false },
  { to: "/operations", label: "app.nav.operations", isOwners: true },
  { to: "/settings", label: "app.nav.settings", isOwners: false },
] as const;
