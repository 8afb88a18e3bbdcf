/** The tree that the folders' `parent_id` makes, and places in an order. Pure. */
import type { Folder } from "./api";

export interface TreeRow {
  readonly folder: Folder;
  /** From 1. */
  readonly level: number;
  readonly hasFolders: boolean;
  readonly isOpen: boolean;
  /** Names from the top, its own last. */
  readonly path: readonly string[];
}

/** The rows in their order; those in a closed folder are left out. */
export function rowsOf(folders: readonly Folder[], isOpen: (id: string) => boolean): TreeRow[] {
  const inside = new Map<string | null, Folder[]>();
  for (const folder of folders) {
    const siblings = inside.get(folder.parent_id);
    if (siblings === undefined) inside.set(folder.parent_id, [folder]);
    else siblings.push(folder);
  }
  const rows: TreeRow[] = [];
  const waiting = (inside.get(null) ?? [])
    .map((folder) => ({ folder, level: 1, path: [folder.name] }))
    .reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { folder, level, path } = next;
    const children = inside.get(folder.id) ?? [];
    const open = children.length > 0 && isOpen(folder.id);
    rows.push({ folder, level, path, hasFolders: children.length > 0, isOpen: open });
    if (open)
      waiting.push(
        ...children
          .map((child) => ({ folder: child, level: level + 1, path: [...path, child.name] }))
          .reverse(),
      );
  }
  return rows;
}

/** The folder itself and the folders around it, from the top. */
export function pathOf(folders: readonly Folder[], id: string | null): Folder[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const path: Folder[] = [];
  for (let at = id === null ? undefined : byId.get(id); at !== undefined;)
    at = path.unshift(at) > folders.length || at.parent_id === null ? undefined : byId.get(at.parent_id);
  return path;
}

/** Whether a folder may be moved there: not into itself, nor into one that is in it. */
export function mayMove(folders: readonly Folder[], id: string, to: string | null): boolean {
  return !pathOf(folders, to).some((folder) => folder.id === id);
}

/** The position directly before or after `index` among others, which are in order. */
export function positionAt(
  others: readonly { readonly position: number }[],
  index: number,
  side: "before" | "after",
): number {
  const next = side === "before" ? index : index + 1;
  const [low, high] = [others[next - 1]?.position, others[next]?.position];
  if (low === undefined) return (high ?? 1) - 1;
  return high === undefined ? low + 1 : (low + high) / 2;
}
