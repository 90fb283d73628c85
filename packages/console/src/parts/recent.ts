/** An app or organization that the reader has been to. */
export interface Visit {
  to: string;
  label: string;
  detail?: string;
}

const PREFIX = 'mooring-recent-';
const KEPT = 6;

const isVisit = (value: unknown): value is Visit =>
  typeof value === 'object' && value !== null && 'to' in value && 'label' in value;

/** Most recent first; kept by this browser, for each person by themselves. */
export function recentVisits(user: string, storage: Storage = localStorage): Visit[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(PREFIX + user) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isVisit) : [];
  } catch {
    return [];
  }
}

export function noteVisit(user: string, visit: Visit, storage: Storage = localStorage): void {
  const others = recentVisits(user, storage).filter(({ to }) => to !== visit.to);
  storage.setItem(PREFIX + user, JSON.stringify([visit, ...others].slice(0, KEPT)));
}

/** Whoever signs out leaves no trace of where they were. */
export function forgetVisits(storage: Storage = localStorage): void {
  for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
}
