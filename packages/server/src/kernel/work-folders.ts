import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

const PREFIX = 'work-';

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
};

/** A folder for what is gone when the work is done. Its name says whose it is. */
export const makeWorkFolder = (home: string): string => mkdtempSync(path.join(home, `${PREFIX}${process.pid}-`));

/** Removes what killed processes left: nobody has that number, and nothing was written since then. */
export function sweepWorkFolders(home: string, since: number): void {
  for (const name of readdirSync(home).filter((name) => name.startsWith(PREFIX))) {
    const full = path.join(home, name);
    const stat = statSync(full, { throwIfNoEntry: false });
    const isOld = stat !== undefined && stat.mtimeMs < since;
    // Before it was part of the name, nobody's number was.
    const pid = Number(name.split('-')[1]);
    if (isOld && !(pid > 0 && isRunning(pid))) rmSync(full, { recursive: true, force: true });
  }
}
