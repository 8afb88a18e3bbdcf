/** Whether there is room for what is recorded. */
export interface Space {
  readonly usage: number;
  readonly quota: number;
}

const RESERVE = 50_000_000; // a long day of reading, texts included, is a tenth of it

/** Warn before it is too late: little room is left, or most of what there was is used. */
export function isTight({ usage, quota }: Space): boolean {
  return quota > 0 && (quota - usage < RESERVE || usage > quota * 0.8);
}

export async function measure(): Promise<Space> {
  const { usage = 0, quota = 0 } = await navigator.storage.estimate();
  return { usage, quota };
}

export function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === "QuotaExceededError";
}
