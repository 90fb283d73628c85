interface Updated {
  name: string;
  properties: { lastUpdateTime: string };
}

/** Concurrent transactions may commit out of order, so a change can become visible after one with a later time. */
const OVERLAP = 60_000;

/** Deduplicates events while they can be read again. */
export function createEventTracker(start?: string) {
  const timesByName = new Map<string, string>();
  let newest: string | undefined;

  /** The time to read from, so that no change is missed. */
  function getStart(): string | undefined {
    if (newest === undefined) return start;
    const overlap = new Date(Date.parse(newest) - OVERLAP).toISOString();
    return start !== undefined && start > overlap ? start : overlap;
  }

  /** Returns new and changed events, oldest first. */
  function takeChanges<T extends Updated>(events: readonly T[]): T[] {
    const getTime = ({ properties }: Updated) => properties.lastUpdateTime;
    const changed = events.filter((event) => timesByName.get(event.name) !== getTime(event));
    changed.sort((a, b) => getTime(a).localeCompare(getTime(b)));
    for (const event of changed) timesByName.set(event.name, getTime(event));
    const last = changed.at(-1);
    if (last && getTime(last) > (newest ?? '')) newest = getTime(last);
    const horizon = getStart() ?? '';
    for (const [name, time] of timesByName) if (time < horizon) timesByName.delete(name);
    return changed;
  }

  return { getStart, takeChanges };
}
