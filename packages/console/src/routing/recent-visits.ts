/** A visited app or organization. */
export interface Visit {
  to: string;
  label: string;
  detail?: string;
}

const PREFIX = 'mooring-recent-';
const MAX_VISITS = 6;

const isVisit = (value: unknown): value is Visit =>
  typeof value === 'object' && value !== null && 'to' in value && 'label' in value;

/** Most recent first, stored in this browser for each user. */
export function recentVisits(user: string, storage: Storage = localStorage): Visit[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(PREFIX + user) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isVisit) : [];
  } catch {
    return [];
  }
}

export function recordVisit(user: string, visit: Visit, storage: Storage = localStorage): void {
  const others = recentVisits(user, storage).filter(({ to }) => to !== visit.to);
  storage.setItem(PREFIX + user, JSON.stringify([visit, ...others].slice(0, MAX_VISITS)));
}

/** Signing out removes the visits. */
export function clearVisits(storage: Storage = localStorage): void {
  for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
}
