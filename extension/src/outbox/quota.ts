/** Whether the browser's storage has room for what is recorded. */
export interface StorageSpace {
  readonly usage: number;
  readonly quota: number;
}

/** Bytes. A long day of reading, texts included, takes a tenth of it. */
const RESERVE = 50_000_000;
const NEARLY_FULL = 0.8;

export function isNearlyFull({ usage, quota }: StorageSpace): boolean {
  return quota > 0 && (quota - usage < RESERVE || usage > quota * NEARLY_FULL);
}

export async function measureStorage(): Promise<StorageSpace> {
  const { usage = 0, quota = 0 } = await navigator.storage.estimate();
  return { usage, quota };
}

export function isQuotaError(error: unknown): boolean {
  return error instanceof DOMException && error.name === "QuotaExceededError";
}
