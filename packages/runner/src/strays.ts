import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** In the environment of all that is started for a job, and of what that starts. */
export const MARK = 'MOORING_PROCESS';

interface Found {
  pid: number;
  session: string | undefined;
  isMarked: boolean;
}

/** Behind the name of the program, which may hold anything. One that only waits to be noticed has none any more. */
function sessionIn(stat: string): string | undefined {
  const [state, _parent, _group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : session;
}

const ROUNDS = 40;
const PAUSE = 50;

async function look(pid: string, sought: Buffer): Promise<Found> {
  const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0));
  const at = environment.indexOf(sought);
  const isMarked = at === 0 || (at > 0 && environment[at - 1] === 0);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return { pid: Number(pid), session: sessionIn(stat), isMarked };
}

/**
 * Ends processes whose mark begins so: those that left their group, or outlived a runner that was killed; and all that
 * share a session with one of them, as what Chromium starts writes its title over its environment. Where the system does
 * not show environments, there is nothing to be found.
 */
export async function endStrays(mark: string): Promise<number> {
  const sought = Buffer.from(`${MARK}=${mark}`);
  const sessions = new Set<string | undefined>();
  let ended = 0;
  // Again, until none is left that was started meanwhile; what starts faster than it is ended is given up.
  for (let round = 0; round < ROUNDS; round += 1) {
    const all = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(all.map((pid) => look(pid, sought)));
    for (const { session, isMarked } of found) if (isMarked) sessions.add(session);
    sessions.delete(undefined);
    sessions.delete(found.find(({ pid }) => pid === process.pid)?.session);
    const others = found.flatMap(({ pid, session, isMarked }) =>
      pid !== process.pid && (isMarked || sessions.has(session)) ? [pid] : [],
    );
    if (others.length === 0) return ended;
    for (const pid of others) {
      try {
        process.kill(pid, 'SIGKILL');
        ended += 1;
      } catch {
        // It has ended by itself.
      }
    }
    // Large ones take a moment to be gone.
    await setTimeout(PAUSE);
  }
  return ended;
}
