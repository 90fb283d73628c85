import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Between making the lock and writing down whose it is, a process needs no longer. */
const NAMELESS_MS = 5000;

/**
 * One process of this machine at a time. The lock is a folder, because making one either works or does not; inside it
 * stands whose it is, so that one that a crash left behind is not waited for.
 */
export async function exclusively<T>(lock: string, work: () => Promise<T>): Promise<T> {
  while (!take(lock)) {
    if (isAbandoned(lock)) rmSync(lock, { recursive: true, force: true });
    else await sleep(20);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

const holder = (lock: string): string => path.join(lock, 'pid');

function take(lock: string): boolean {
  try {
    mkdirSync(lock);
    writeFileSync(holder(lock), String(process.pid));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(lock: string): boolean {
  try {
    const pid = Number(readFileSync(holder(lock), 'utf8'));
    return pid > 0 ? !isRunning(pid) : isOld(lock);
  } catch {
    return isOld(lock);
  }
}

function isOld(lock: string): boolean {
  const { mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? {};
  return mtimeMs !== undefined && Date.now() - mtimeMs > NAMELESS_MS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
