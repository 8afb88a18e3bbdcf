import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { StartPage } from "./pages/start";
import { Shell } from "./shell";

export function App() {
  const [queries] = useState(createQueries);
  return (
    <QueryClientProvider client={queries}>
      <Shell>
        <StartPage />
      </Shell>
    </QueryClientProvider>
  );
}

/** `always`: the server is often on this very machine, which needs no network to be reached. */
function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { networkMode: "always" }, mutations: { networkMode: "always" } },
  });
}
