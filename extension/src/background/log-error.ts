export function logError(error: unknown): void {
  console.error("MindHit:", error);
}
