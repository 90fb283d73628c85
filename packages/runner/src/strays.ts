import { readdir, readFile } from 'node:fs/promises';

/** In the environment of all that is started for a job, and of what that starts. */
export const MARK = 'MOORING_PROCESS';

/**
 * Ends processes whose mark begins so: those that left their group, or outlived a runner that was killed. Where the
 * system does not show environments, there is nothing to be found.
 */
export async function endStrays(mark: string): Promise<number> {
  const sought = Buffer.from(`${MARK}=${mark}`);
  const isMarked = async (pid: string): Promise<boolean> => {
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0));
    const at = environment.indexOf(sought);
    return at === 0 || (at > 0 && environment[at - 1] === 0);
  };
  let ended = 0;
  // Again, until none is left that was started meanwhile; what starts faster than it is ended is given up.
  for (let round = 0; round < 20; round += 1) {
    const all = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const marked = (await Promise.all(all.map(async (pid) => ((await isMarked(pid)) ? [Number(pid)] : [])))).flat();
    const others = marked.filter((pid) => pid !== process.pid);
    if (others.length === 0) return ended;
    for (const pid of others) {
      try {
        process.kill(pid, 'SIGKILL');
        ended += 1;
      } catch {
        // It has ended by itself.
      }
    }
  }
  return ended;
}
