import { readFile } from 'node:fs/promises';
import { listProcessTree } from '../sandbox/limits.ts';

const MIB = 1_048_576;
const SAMPLE_INTERVAL_MS = 500;
/** No test runs longer than this. */
const RETENTION_MS = 30 * 60_000;

/** Total memory of the processes of the app under test; 0 if the system doesn't report it. */
async function measureApp(roots: readonly number[], isApp: (commandLine: string) => boolean): Promise<number> {
  let bytes = 0;
  for (const root of roots) {
    for (const process of await listProcessTree(root)) {
      const line = await readFile(`/proc/${process.pid}/cmdline`, 'utf8').catch(() => '');
      if (isApp(line.replaceAll('\0', ' '))) bytes += process.bytes;
    }
  }
  return bytes;
}

export interface AppMemory {
  /** Includes descendants of a process of the suite. */
  follow(root: number): () => void;
  /** Maximum in MB since a time; undefined without a sample since then. */
  getMax(since: number): number | undefined;
  stop(): void;
}

/** Samples the memory of the app under test if it runs on this machine. */
export function watchAppMemory(isApp: (commandLine: string) => boolean): AppMemory {
  const roots = new Set<number>();
  let samples: { at: number; bytes: number }[] = [];
  let isSampling = false;
  const timer = setInterval(async () => {
    if (isSampling || roots.size === 0) return;
    isSampling = true;
    const bytes = await measureApp([...roots], isApp).catch(() => 0);
    if (bytes > 0) samples.push({ at: Date.now(), bytes });
    isSampling = false;
  }, SAMPLE_INTERVAL_MS);
  return {
    follow(root) {
      roots.add(root);
      return () => roots.delete(root);
    },
    getMax(since) {
      const matching = samples.filter(({ at }) => at >= since);
      samples = samples.filter(({ at }) => at >= Date.now() - RETENTION_MS);
      return matching.length === 0 ? undefined : Math.round(Math.max(...matching.map(({ bytes }) => bytes)) / MIB);
    },
    stop: () => clearInterval(timer),
  };
}
