/** The one-time token of a link, which stands after `#` so that it reaches no server's log. */
import { useEffect, useState } from "react";

/**
 * Taken out of the address bar and kept with this entry of the tab's history, so that it survives a reload and is gone
 * when the person goes on. Empty if there is none.
 */
export function useToken(): string {
  const [token, setToken] = useState(() => read() || kept());
  useEffect(() => {
    keep();
    // The next link of a mail, opened in this tab, changes nothing but what stands after `#`.
    const onChange = () => {
      if (read() === "") return;
      setToken(read());
      keep();
    };
    window.addEventListener("hashchange", onChange);
    return () => {
      window.removeEventListener("hashchange", onChange);
    };
  }, []);
  return token;
}

function read(): string {
  return location.hash.slice(1);
}

function kept(): string {
  return (history.state as { token?: string } | null)?.token ?? "";
}

function keep(): void {
  if (read() === "") return;
  const state = { ...(history.state as object | null), token: read() };
  history.replaceState(state, "", location.pathname + location.search);
}
