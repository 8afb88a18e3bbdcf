/** Answers that public/prefetch.js requested before this script was loaded. Each is used once. */

declare global {
  var mindhitPrefetched: Map<string, Promise<Response>> | undefined;
}

export const fetchPrefetched: typeof fetch = async (address, init) => {
  const answer = init?.method === "GET" && typeof address === "string" ? take(address) : undefined;
  const response = await answer;
  // A refused request may have been sent before the person signed in.
  return response?.ok ? response : fetch(address, init);
};

function take(address: string): Promise<Response> | undefined {
  const prefetched = globalThis.mindhitPrefetched;
  const answer = prefetched?.get(address);
  prefetched?.delete(address);
  return answer;
}
