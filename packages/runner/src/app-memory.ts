import { readFile } from 'node:fs/promises';
import { listBelow } from './limits.ts';

const MIB = 1_048_576;
const EVERY = 500;
/** No test runs for longer. */
const KEPT = 30 * 60_000;

/** What the processes of the app under test take together; nothing where the system does not show it. */
async function measureApp(roots: readonly number[], isApp: (commandLine: string) => boolean): Promise<number> {
  let bytes = 0;
  for (const root of roots) {
    for (const process of await listBelow(root)) {
      const line = await readFile(`/proc/${process.pid}/cmdline`, 'utf8').catch(() => '');
      if (isApp(line.replaceAll('\0', ' '))) bytes += process.bytes;
    }
  }
  return bytes;
}

export interface AppMemory {
  /** Looks below a process that was started for the suite. */
  follow(root: number): () => void;
  /** The most in MB that it took since then; undefined if nobody looked meanwhile. */
  most(since: number): number | undefined;
  stop(): void;
}

/** Looks again and again how much memory the app takes that a suite tests, where it is a process of this machine. */
export function watchAppMemory(isApp: (commandLine: string) => boolean): AppMemory {
  const roots = new Set<number>();
  let seen: { at: number; bytes: number }[] = [];
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking || roots.size === 0) return;
    isLooking = true;
    const bytes = await measureApp([...roots], isApp).catch(() => 0);
    if (bytes > 0) seen.push({ at: Date.now(), bytes });
    isLooking = false;
  }, EVERY);
  return {
    follow(root) {
      roots.add(root);
      return () => roots.delete(root);
    },
    most(since) {
      const meanwhile = seen.filter(({ at }) => at >= since);
      seen = seen.filter(({ at }) => at >= Date.now() - KEPT);
      return meanwhile.length === 0 ? undefined : Math.round(Math.max(...meanwhile.map(({ bytes }) => bytes)) / MIB);
    },
    stop: () => clearInterval(timer),
  };
}
