// Requests what the first screen shows while the app's own script is still loading. src/api/prefetch.ts hands it out.
{
  const { document, fetch, location, Response, setTimeout } = globalThis;
  const { pathname: path, search } = location;
  const isSession = /^\/sessions\/[\w-]+$/.test(path);
  const urls = isSession ? [`/v1${path}`] : [];
  if (path === "/") {
    urls.push("/v1/sessions?limit=5");
    if (search === "") urls.push("/v1/sessions?limit=40", "/v1/totals/days?count=7&limit=30");
  }
  if (urls.length > 0) {
    // To its end: of a body that nobody reads yet, the browser fetches no more than its beginning.
    const read = async (response) => new Response(await response.arrayBuffer(), response);
    const request = (url) => {
      const answer = fetch(url, { headers: { accept: "application/json" } }).then(read);
      answer.catch(() => undefined); // reported where the answer is used
      return [url, answer];
    };
    const prefetched = new Map(["/v1/me", ...urls].map(request));
    setTimeout(() => prefetched.clear(), 10_000); // too old to be shown after that
    globalThis.mindhitPrefetched = prefetched;
  }
  // The files of the session's screen, which the build wrote there (vite.config.ts).
  const files = (isSession && document.currentScript?.dataset.session) || "";
  for (const file of files.split(" ").filter(Boolean)) {
    const link = document.createElement("link");
    link.rel = file.endsWith(".css") ? "preload" : "modulepreload";
    link.as = file.endsWith(".css") ? "style" : "script";
    link.crossOrigin = "";
    link.href = file;
    document.head.append(link);
  }
}
