import type { Deps } from '../../../context.ts';
import { HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { findDiskShortage } from '../../../kernel/disk-room.ts';
import { Failure } from '../../../kernel/errors.ts';
import { sumBytesSince } from '../counts.store.ts';

const MIB = 1024 * 1024;

/** How long a sum is taken as it was, beside what this process adds: other processes take logs, too. */
const READ_EVERY = 10 * SECOND;
const MAX_APPS = 10_000;

/** SDKs wait exactly as long as the header says, and come back one by one. */
const later = (message: string): Failure => {
  const retryAfterMs = MINUTE + Math.floor(Math.random() * 4 * MINUTE);
  return new Failure('ServiceUnavailable', message, {
    'retry-after': String(Math.ceil(retryAfterMs / SECOND)),
    'x-ms-retry-after-ms': String(retryAfterMs),
  });
};

export interface HourLimit {
  /** Refuses while the disk has less room than is kept for people. */
  refuseIfShort(): Promise<void>;
  /** Whether an app has sent as much as it may within an hour. */
  isReached(appId: string): Promise<boolean>;
  refusal(): Failure;
  /** Counts what was taken. */
  add(appId: string, bytes: number): void;
}

/** Keeps to the bytes of JSON that an app may send within sixty minutes. */
export function createHourLimit({ config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>): HourLimit {
  const most = config.ingestMbPerHour * MIB;
  const sums = new Map<string, { readAt: number; bytes: number }>();

  async function sumOf(appId: string): Promise<number> {
    const now = clock.now();
    const known = sums.get(appId);
    if (known && Math.abs(now - known.readAt) < READ_EVERY) return known.bytes;
    if (sums.size > MAX_APPS) sums.clear();
    const sum = await sumBytesSince.first(db, { appId, since: now - HOUR });
    const bytes = Number(sum?.bytes ?? 0);
    sums.set(appId, { readAt: now, bytes });
    return bytes;
  }

  return {
    async refuseIfShort() {
      const shortage = await findDiskShortage({ config });
      if (shortage) throw later(shortage.message);
    },
    isReached: async (appId) => most > 0 && (await sumOf(appId)) >= most,
    refusal: () =>
      later(
        `This app has sent ${config.ingestMbPerHour} MiB of logs within an hour, as much as MOORING_INGEST_MB_PER_HOUR allows; send the rest later.`,
      ),
    add(appId, bytes) {
      const known = sums.get(appId);
      if (known) known.bytes += bytes;
    },
  };
}
