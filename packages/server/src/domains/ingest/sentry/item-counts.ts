import type { ItemOutcome } from '../ingest.tables.ts';
import { feedbackTypes } from './feedback-logs.ts';

export type { ItemOutcome };

export interface ItemCount {
  item: string;
  outcome: ItemOutcome;
  /** Why items were dropped or discarded; empty for stored ones. */
  reason: string;
  count: number;
}

/** Items that are accepted and dropped, because this server has no use for them yet. */
const unusedTypes: ReadonlySet<string> = new Set([
  'transaction',
  'span',
  'profile',
  'profile_chunk',
  'replay_event',
  'replay_recording',
  'replay_video',
  'check_in',
  'statsd',
  'metric_buckets',
  'metric_meta',
  'trace_metric',
  'form_data',
  'raw_security',
  'nel',
  'unreal_report',
]);

const usedTypes: ReadonlySet<string> = new Set([
  'event',
  'session',
  'sessions',
  'attachment',
  'log',
  'client_report',
  ...feedbackTypes,
]);

/** Name of an item in the counts; those that no SDK sends share one. */
export const nameItem = (type: string): string => (usedTypes.has(type) || unusedTypes.has(type) ? type : 'unknown');

const MAX_COUNT = 1_000_000_000;
const MAX_NAMES = 200;

/** Text of a device as a name: lower case, without signs that could mislead a reader. */
const toName = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .slice(0, 60)
        .toLowerCase()
        .replace(/[^a-z0-9_.:-]/g, '_')
    : '';

/** Counts the items of one envelope by name, outcome and reason. */
export function createItemCounts() {
  const counts = new Map<string, ItemCount>();
  function add(item: string, outcome: ItemOutcome, reason = '', count = 1): void {
    const key = JSON.stringify([item, outcome, reason]);
    const known = counts.get(key) ?? { item, outcome, reason, count: 0 };
    if (known.count === 0 && counts.size >= MAX_NAMES) return;
    known.count = Math.min(MAX_COUNT, known.count + count);
    counts.set(key, known);
  }
  return {
    stored: (item: string, count = 1) => add(item, 'stored', '', count),
    dropped: (item: string, reason: string, count = 1) => add(item, 'dropped', reason, count),
    /** Takes a client report: `{discarded_events: [{reason, category, quantity}]}`. */
    takeReport(report: unknown): void {
      const events = (report as { discarded_events?: unknown } | null)?.discarded_events;
      for (const event of Array.isArray(events) ? events.slice(0, MAX_NAMES) : []) {
        const { reason, category, quantity } = (event ?? {}) as Record<string, unknown>;
        if (!Number.isSafeInteger(quantity) || (quantity as number) <= 0) continue;
        add(toName(category) || 'unknown', 'discarded', toName(reason) || 'unknown', quantity as number);
      }
    },
    list: (): ItemCount[] => [...counts.values()],
  };
}

export type ItemCounts = ReturnType<typeof createItemCounts>;
