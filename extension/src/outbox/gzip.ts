/** A request body, gzipped unless it is small. */
const GZIP_FROM_BYTES = 1_000;

export async function gzip(text: string): Promise<{ body: Blob; headers: Record<string, string> }> {
  const plain = new Blob([text.toWellFormed()]);
  if (plain.size < GZIP_FROM_BYTES) return { body: plain, headers: {} };
  const body = await new Response(plain.stream().pipeThrough(new CompressionStream("gzip"))).blob();
  return { body, headers: { "content-encoding": "gzip" } };
}
