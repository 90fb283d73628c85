import type { Deps } from '../../../context.ts';
import { HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { findDiskShortage } from '../../../kernel/files/disk-space.ts';
import { sumBytesSince } from '../counts.store.ts';

const MIB = 1024 * 1024;

/** Other processes accept logs too, so the cached sum is read again after this time. This process adds its own bytes to it. */
const READ_EVERY = 10 * SECOND;
const MAX_APPS = 10_000;
/** Share of the limit that data of all kinds may use. */
const OPEN_SHARE = 0.9;

/** SDKs wait exactly as long as the header says; random times spread their retries. */
const later = (message: string): Failure => {
  const retryAfterMs = MINUTE + Math.floor(Math.random() * 4 * MINUTE);
  return new Failure('ServiceUnavailable', message, {
    'retry-after': String(Math.ceil(retryAfterMs / SECOND)),
    'x-ms-retry-after-ms': String(retryAfterMs),
  });
};

export interface HourLimit {
  /** Refuses while less than the disk reserve is free. Without a promise if that is known. */
  refuseIfShort(): void | Promise<void>;
  /** True if the app has reached its hourly limit. Without a promise if that is known. */
  isReached(appId: string): boolean | Promise<boolean>;
  /** True if the app has little left of its hourly limit, which is kept for crashes and errors. */
  isNear(appId: string): boolean | Promise<boolean>;
  refusal(): Failure;
  /** Counts accepted bytes. */
  add(appId: string, bytes: number): void;
}

/** Limits the bytes of JSON that an app may send within sixty minutes. */
export function createHourLimit({ config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>): HourLimit {
  const most = config.ingestMbPerHour * MIB;
  const sums = new Map<string, { readAt: number; bytes: number }>();
  let diskCheckedUntil = 0;

  async function checkDisk(): Promise<void> {
    const shortage = await findDiskShortage({ config });
    if (shortage) throw later(shortage.message);
    diskCheckedUntil = performance.now() + SECOND;
  }

  async function readSum(appId: string, now: number): Promise<number> {
    if (sums.size > MAX_APPS) sums.clear();
    const sum = await sumBytesSince.first(db, { appId, since: now - HOUR });
    const bytes = Number(sum?.bytes ?? 0);
    sums.set(appId, { readAt: now, bytes });
    return bytes;
  }

  function exceeds(appId: string, bytes: number): boolean | Promise<boolean> {
    if (most === 0) return false;
    const now = clock.now();
    const cached = sums.get(appId);
    if (cached && Math.abs(now - cached.readAt) < READ_EVERY) return cached.bytes >= bytes;
    return readSum(appId, now).then((sum) => sum >= bytes);
  }

  return {
    refuseIfShort() {
      if (performance.now() >= diskCheckedUntil) return checkDisk();
    },
    isReached: (appId) => exceeds(appId, most),
    isNear: (appId) => exceeds(appId, OPEN_SHARE * most),
    refusal: () =>
      later(
        `This app has sent ${config.ingestMbPerHour} MiB of logs within an hour, the limit set by MOORING_INGEST_MB_PER_HOUR. Send the rest later.`,
      ),
    add(appId, bytes) {
      const cached = sums.get(appId);
      if (cached) cached.bytes += bytes;
    },
  };
}
