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

/** Creates a folder for temporary files. Its name contains the process ID. */
export const makeWorkFolder = (home: string): string => mkdtempSync(path.join(home, `${PREFIX}${process.pid}-`));

/** Removes folders of killed processes: no process has their ID, and nothing was written to them since. */
export function sweepWorkFolders(home: string, since: number): void {
  for (const name of readdirSync(home).filter((name) => name.startsWith(PREFIX))) {
    const full = path.join(home, name);
    const stat = statSync(full, { throwIfNoEntry: false });
    const isOld = stat !== undefined && stat.mtimeMs < since;
    // Folders of earlier versions have no process ID in their name.
    const pid = Number(name.split('-')[1]);
    if (isOld && !(pid > 0 && isRunning(pid))) rmSync(full, { recursive: true, force: true });
  }
}
