import path from 'node:path';
import type { CacheStore } from '../builds/caches.ts';
import type { RunnerOptions } from '../options.ts';

const MIB = 1_048_576;

/** Parent folder of all jobs. */
export const getJobsFolder = (folder: string): string => path.join(folder, 'jobs');

export const getCacheStore = ({
  folder,
  cacheMb,
}: Pick<RunnerOptions, 'folder' | 'cacheMb'>): CacheStore | undefined =>
  cacheMb > 0 ? { folder: path.join(folder, 'caches'), maxBytes: cacheMb * MIB } : undefined;
