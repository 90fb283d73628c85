import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Variable in the environment of all processes of a job, inherited by their children. */
export const MARK = 'MOORING_PROCESS';

interface ProcessInfo {
  pid: number;
  session: string | undefined;
  isMarked: boolean;
}

/** Parses fields after the program name, which can contain any text. Zombies have no session. */
function readSession(stat: string): string | undefined {
  const [state, _parent, _group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : session;
}

const ROUNDS = 40;
const PAUSE_MS = 50;

async function inspect(pid: string, prefix: Buffer): Promise<ProcessInfo> {
  const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0));
  const at = environment.indexOf(prefix);
  const isMarked = at === 0 || (at > 0 && environment[at - 1] === 0);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return { pid: Number(pid), session: readSession(stat), isMarked };
}

/**
 * Kills processes whose mark has this prefix: those that left their process group, or outlived a killed runner. Also kills
 * processes in the same sessions, because children of Chromium overwrite their environment with their title. Finds nothing on
 * systems that don't expose environments.
 */
export async function killOrphans(mark: string): Promise<number> {
  const prefix = Buffer.from(`${MARK}=${mark}`);
  const sessions = new Set<string | undefined>();
  let killed = 0;
  // Repeat until no new processes appear. Stop after a while if processes start faster than they are killed.
  for (let round = 0; round < ROUNDS; round += 1) {
    const all = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const processes = await Promise.all(all.map((pid) => inspect(pid, prefix)));
    for (const { session, isMarked } of processes) if (isMarked) sessions.add(session);
    sessions.delete(undefined);
    sessions.delete(processes.find(({ pid }) => pid === process.pid)?.session);
    const others = processes.flatMap(({ pid, session, isMarked }) =>
      pid !== process.pid && (isMarked || sessions.has(session)) ? [pid] : [],
    );
    if (others.length === 0) return killed;
    for (const pid of others) {
      try {
        process.kill(pid, 'SIGKILL');
        killed += 1;
      } catch {
        // The process has already ended.
      }
    }
    // Large processes take a moment to end.
    await setTimeout(PAUSE_MS);
  }
  return killed;
}
