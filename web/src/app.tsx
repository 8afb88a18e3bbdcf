/** The app: one cache, one shell, and in it the screen that the address names. */
import "./ui/ui.css";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState, type ReactNode } from "react";
import { become, isSignedOut, MeContext, meQuery } from "./account/me";
import { signInPath } from "./account/next";
import { offerLanguage } from "./i18n";
import { Boundary } from "./boundary";
import { LostPage } from "./pages/lost";
import { isServerAway, tellAway, watchPresence } from "./presence";
import { find, navigate, Redirect, useLocation } from "./router";
import { ROUTES } from "./routes";
import { Shell } from "./shell";
import { Trouble, Waiting } from "./ui/notice";

export function App() {
  const [queries] = useState(createQueries);
  return (
    <QueryClientProvider client={queries}>
      <Shell>
        <Screen />
      </Shell>
    </QueryClientProvider>
  );
}

function Screen() {
  const { path } = useLocation();
  const { data: me } = useQuery(meQuery);
  const found = find(ROUTES, path);
  useEffect(() => {
    if (me) offerLanguage(me.settings.language);
  }, [me]);
  if (found === null) return <LostPage />;
  const { screen: Found, isPersonal } = found.route;
  const screen = (
    <Boundary key={path}>
      <Suspense fallback={<Waiting />}>
        <Found params={found.params} />
      </Suspense>
    </Boundary>
  );
  return isPersonal ? <SignedIn>{screen}</SignedIn> : <MeContext value={me ?? null}>{screen}</MeContext>;
}

/** Only for people who are signed in; others do that first. */
function SignedIn({ children }: { readonly children: ReactNode }) {
  const { data: me, error, refetch } = useQuery(meQuery);
  if (me) return <MeContext value={me}>{children}</MeContext>;
  if (me === null) return <Redirect to={signInPath()} />;
  return error ? <Trouble error={error} retry={refetch} /> : <Waiting />;
}

/** `always`: the server is often on this very machine, which needs no network to be reached. */
function createQueries(): QueryClient {
  const onError = (error: unknown) => {
    if (isServerAway(error)) tellAway();
    if (!isSignedOut(error)) return;
    const before = queries.getQueryData(meQuery.queryKey);
    const way = signInPath();
    become(queries, null);
    if (before) navigate(way, { replace: true, flash: "signedOutElsewhere" });
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // Failures are shown at once, with a way to try again; nobody waits for silent retries.
    defaultOptions: {
      queries: { networkMode: "always", retry: false },
      mutations: { networkMode: "always" },
    },
  });
  watchPresence(queries);
  return queries;
}
