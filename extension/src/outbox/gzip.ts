/** A body, gzipped where that is worth it. */
const WORTH_IT = 1_000;

export async function gzip(text: string): Promise<{ body: Blob; headers: Record<string, string> }> {
  const plain = new Blob([text.toWellFormed()]);
  if (plain.size < WORTH_IT) return { body: plain, headers: {} };
  const body = await new Response(plain.stream().pipeThrough(new CompressionStream("gzip"))).blob();
  return { body, headers: { "content-encoding": "gzip" } };
}
