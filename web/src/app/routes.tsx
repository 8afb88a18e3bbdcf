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
const HighlightsScreen = lazy(() => import("../highlights/highlights-screen"));
const LibraryScreen = lazy(() => import("../library/library-screen"));
const SavedPageScreen = lazy(() => import("../library/page-screen"));
const ImportScreen = lazy(() => import("../library/import-screen"));
const DeadLinksScreen = lazy(() => import("../library/dead-links-screen"));
const InboxScreen = lazy(() => import("../reminders/inbox-screen"));
const RemindersScreen = lazy(() => import("../reminders/reminders-screen"));
const SchedulesScreen = lazy(() => import("../shops/schedules-screen"));
const AddScheduleScreen = lazy(() => import("../shops/add-screen"));
const ScheduleScreen = lazy(() => import("../shops/schedule-screen"));
const RunsScreen = lazy(() => import("../shops/runs-screen"));
const RunScreen = lazy(() => import("../shops/run-screen"));
const ProductsScreen = lazy(() => import("../shops/products-screen"));
const ProductScreen = lazy(() => import("../shops/product-screen"));
const FailedScreen = lazy(() => import("../shops/failed-screen"));
const AlertsScreen = lazy(() => import("../shops/alerts-screen"));
const OperationsScreen = lazy(() => import("../operations/operations-screen"));
const SearchScreen = lazy(() => import("../search/search-screen"));
const VisitedScreen = lazy(() => import("../visited/visited-screen"));
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
  { path: "/library", screen: LibraryScreen, isPersonal: true },
  { path: "/library/import", screen: ImportScreen, isPersonal: true },
  { path: "/library/dead", screen: DeadLinksScreen, isPersonal: true },
  { path: "/library/pages/:id", screen: SavedPageScreen, isPersonal: true },
  { path: "/highlights", screen: HighlightsScreen, isPersonal: true },
  { path: "/pages/:id", screen: VisitedScreen, isPersonal: true },
  { path: "/reminders", screen: RemindersScreen, isPersonal: true },
  { path: "/shops", screen: SchedulesScreen, isPersonal: true },
  { path: "/shops/add", screen: AddScheduleScreen, isPersonal: true },
  { path: "/shops/schedules/:id", screen: ScheduleScreen, isPersonal: true },
  { path: "/shops/runs", screen: RunsScreen, isPersonal: true },
  { path: "/shops/runs/:id", screen: RunScreen, isPersonal: true },
  { path: "/shops/products", screen: ProductsScreen, isPersonal: true },
  { path: "/shops/products/:id", screen: ProductScreen, isPersonal: true },
  { path: "/shops/failed", screen: FailedScreen, isPersonal: true },
  { path: "/shops/alerts", screen: AlertsScreen, isPersonal: true },
  { path: "/inbox", screen: InboxScreen, isPersonal: true },
  { path: "/search", screen: SearchScreen, isPersonal: true },
  { path: "/operations", screen: OperationsScreen, isPersonal: true },
  { path: "/connect", screen: ConnectExtensionScreen, isPersonal: true },
  { path: "/settings", screen: SettingsScreen, isPersonal: true },
  { path: "/settings/:section", screen: SettingsScreen, isPersonal: true },
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
