// Requests what the first screen shows while the app's own script is still loading. src/api/prefetch.ts hands it out.
{
  const { fetch, location, setTimeout } = globalThis;
  const { pathname: path, search } = location;
  const isSession = /^\/sessions\/[\w-]+$/.test(path);
  const urls = isSession ? [`/v1${path}`] : [];
  if (path === "/") {
    urls.push("/v1/sessions?limit=5");
    if (search === "") urls.push("/v1/sessions?limit=40", "/v1/totals/days?count=7&limit=30");
  }
  if (urls.length > 0) {
    const request = (url) => {
      const answer = fetch(url, { headers: { accept: "application/json" } });
      answer.catch(() => undefined); // reported where the answer is used
      return [url, answer];
    };
    const prefetched = new Map(["/v1/me", ...urls].map(request));
    setTimeout(() => prefetched.clear(), 10_000); // too old to be shown after that
    globalThis.mindhitPrefetched = prefetched;
  }
}
