/**
 * Which URLs are the same page, for counting pages while the server has not answered: the structural rules of the server's
 * `urls` (scheme, `www.`, trailing slash, order of parameters, fragment). It also knows which parameters only track; so
 * once it has answered, its number is shown.
 */
export function pageIdentity(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = hostname.replace(/\.$/, "");
  const bare = /^www\.[^.]+\.[^.]/.test(host) ? host.slice(4) : host;
  searchParams.sort();
  const query = searchParams.toString();
  const isDefaultPort = port === "80" || port === "443";
  return `${bare}${port === "" || isDefaultPort ? "" : `:${port}`}${pathname.replace(/\/+$/, "") || "/"}${query && `?${query}`}`;
}
