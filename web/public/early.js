// Asks for what the first screen shows while the app's own script is still on its way. src/early.ts hands it out.
{
  const { fetch, location, setTimeout } = globalThis;
  const { pathname: path, search } = location;
  const session = /^\/sessions\/[\w-]+$/.test(path);
  const wanted = session ? [`/v1${path}`] : [];
  if (path === "/") {
    wanted.push("/v1/sessions?limit=5");
    if (search === "") wanted.push("/v1/sessions?page=1&limit=40", "/v1/totals/days?count=7&limit=30");
  }
  if (wanted.length > 0) {
    const ask = (address) => {
      const answer = fetch(address, { headers: { accept: "application/json" } });
      answer.catch(() => undefined); // whoever takes it is told
      return [address, answer];
    };
    const early = new Map(["/v1/me", ...wanted].map(ask));
    setTimeout(() => early.clear(), 10_000); // what is taken later is not the news any more
    globalThis.mindhitEarly = early;
  }
}
