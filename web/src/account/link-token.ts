/** The one-time token of a link, which stands after `#` so that it reaches no server's log. */
import { useEffect, useState } from "react";

/** Read once and taken out of the address bar; kept nowhere but in the open screen. Empty if there is none. */
export function useToken(): string {
  const [token, setToken] = useState(read);
  useEffect(() => {
    clear();
    // The next link of a mail, opened in this tab, changes nothing but what stands after `#`.
    const onChange = () => {
      if (read() === "") return;
      setToken(read());
      clear();
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

function clear(): void {
  if (location.hash !== "") history.replaceState(history.state, "", location.pathname + location.search);
}
