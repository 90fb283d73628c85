/** Removed with the recent visits when the user signs out; see `recent-visits.ts`. */
const PREFIX = 'mooring-recent-uses-';
const MAX_ENTRIES = 100;

/** How often a user opened each entry of the command palette in this browser. */
export function paletteUses(user: string, storage: Storage = localStorage): Map<string, number> {
  try {
    const stored: unknown = JSON.parse(storage.getItem(PREFIX + user) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return new Map();
    return new Map(Object.entries(stored).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  } catch {
    return new Map();
  }
}

/** Forgets the entries that were not used for the longest time. */
export function recordUse(user: string, id: string, storage: Storage = localStorage): void {
  const uses = paletteUses(user, storage);
  const count = (uses.get(id) ?? 0) + 1;
  uses.delete(id);
  uses.set(id, count);
  storage.setItem(PREFIX + user, JSON.stringify(Object.fromEntries([...uses].slice(-MAX_ENTRIES))));
}
