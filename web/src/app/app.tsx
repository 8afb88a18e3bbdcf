/** The app: one query cache, the shell, and in it the screen for the address. */
import { MutationCache, QueryCache, QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState, type ReactNode } from "react";
import { Route as RouterRoute, Switch } from "wouter";
import type { Me } from "../account/api";
import { become, isSignedOut, MeContext, meQuery } from "../account/me";
import { signInPath } from "../account/next-path";
import { adoptLanguage } from "../i18n/languages";
import { TranslationProvider } from "../i18n/translation";
import { ErrorBoundary } from "./error-boundary";
import { NotFoundScreen } from "./not-found";
import { isUnreachable, reportOffline, startOffline } from "../api/offline";
import { usePreloading } from "./preload";
import { AppRouter, navigate, Redirect, useLocation, type Params } from "./router";
import { ROUTES, type Route } from "./routes";
import { Shell } from "./shell/shell";
import { Trouble, Waiting } from "../ui/notice";
import { TimeZoneContext } from "../ui/time/time-zone";

export function App() {
  const [queries] = useState(createQueries);
  return (
    <QueryClientProvider client={queries}>
      <TranslationProvider>
        <AppRouter>
          <Shell>
            <Screen />
          </Shell>
        </AppRouter>
      </TranslationProvider>
    </QueryClientProvider>
  );
}

function Screen() {
  const { data: me } = useQuery(meQuery);
  const language = me?.settings.language;
  useEffect(() => {
    if (language) adoptLanguage(language);
  }, [language]);
  usePreloading();
  return (
    <Switch>
      {ROUTES.map((route) => (
        <RouterRoute<Params> key={route.path} path={route.path}>
          {(params) => <Found route={route} params={params} />}
        </RouterRoute>
      ))}
      <RouterRoute>
        <NotFoundScreen />
      </RouterRoute>
    </Switch>
  );
}

function Found({ route, params }: { readonly route: Route; readonly params: Params }) {
  const { screen: FoundScreen, load, isPersonal } = route;
  const { path } = useLocation();
  const { data: me } = useQuery(meQuery);
  useEffect(() => {
    // While it is still being asked who is here.
    void load?.().catch(() => undefined); // the error boundary tells it
  }, [load]);
  const screen = (
    <ErrorBoundary key={path}>
      <Suspense fallback={<Waiting />}>
        <FoundScreen params={params} />
      </Suspense>
    </ErrorBoundary>
  );
  return isPersonal ? <SignedIn>{screen}</SignedIn> : <Person me={me ?? null}>{screen}</Person>;
}

function Person({ me, children }: { readonly me: Me | null; readonly children: ReactNode }) {
  return (
    <MeContext value={me}>
      <TimeZoneContext value={me?.settings.timezone}>{children}</TimeZoneContext>
    </MeContext>
  );
}

/** Only for people who are signed in; everyone else is sent to sign in first. */
function SignedIn({ children }: { readonly children: ReactNode }) {
  const { data: me, error, refetch } = useQuery(meQuery);
  if (me) return <Person me={me}>{children}</Person>;
  if (me === null) return <Redirect to={signInPath()} replace />;
  return error ? <Trouble error={error} retry={refetch} /> : <Waiting />;
}

/** `always`: the server is often on this very machine and needs no network. */
function createQueries(): QueryClient {
  const onError = (error: unknown) => {
    if (isUnreachable(error)) reportOffline();
    if (!isSignedOut(error)) return;
    const before = queries.getQueryData(meQuery.queryKey);
    const path = signInPath();
    become(queries, null);
    if (before) navigate(path, { replace: true, flash: "signedOutElsewhere" });
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // Failures are shown at once, with a button to try again, instead of being retried silently.
    defaultOptions: {
      queries: { networkMode: "always", retry: false },
      mutations: { networkMode: "always" },
    },
  });
  startOffline(queries);
  return queries;
}
