import { statfs } from 'node:fs/promises';
import { SECOND } from '../clock.ts';

const MIB = 1024 * 1024;

/** Cache time of the free space, because every write checks it. */
const CACHE_MS = SECOND;

const known = new Map<string, { until: number; free: Promise<number | undefined> }>();

const readFree = async (folder: string): Promise<number | undefined> => {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
};

/** Reads the free bytes on the disk of a folder; undefined if the system does not report them. */
export function freeBytesIn(folder: string): Promise<number | undefined> {
  const now = performance.now();
  const match = known.get(folder);
  if (match && now < match.until) return match.free;
  if (known.size > 100) known.clear();
  const free = readFree(folder);
  known.set(folder, { until: now + CACHE_MS, free });
  return free;
}

/** Below an eighth of the reserve (at most 64 MiB), people may no longer be able to sign in and delete. */
const criticalBytes = (reserve: number): number => Math.min(reserve / 8, 64 * MIB);

export interface DiskShortage {
  message: string;
  /** True if people may no longer be able to sign in and delete. */
  isCritical: boolean;
}

/**
 * Describes a disk with less free space than the reserve. The server then rejects logs and uploads, so that people can
 * still sign in and delete. Omit `blobs` where only the database is written.
 */
export async function findDiskShortage({
  config: { dataDir, diskReserveMb },
  blobs,
}: {
  config: { dataDir: string; diskReserveMb: number };
  blobs?: { free(): Promise<number | undefined> };
}): Promise<DiskShortage | undefined> {
  const reserve = diskReserveMb * MIB;
  const all = [await freeBytesIn(dataDir), await blobs?.free()];
  const free = Math.min(...all.map((bytes) => bytes ?? Number.POSITIVE_INFINITY));
  if (free >= reserve) return undefined;
  const message = `${Math.floor(free / MIB)} MiB free on the disk of this server, less than MOORING_DISK_RESERVE_MB (${diskReserveMb} MiB). The server rejects logs and uploads until an administrator frees space.`;
  return { message, isCritical: free < criticalBytes(reserve) };
}
