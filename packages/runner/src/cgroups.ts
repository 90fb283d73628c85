import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A group of processes that Linux itself keeps count of. */
export interface Cgroup {
  folder: string;
  /** Ends whoever is in it, also who left everything else behind. */
  end(): Promise<void>;
}

const PREFIX = 'mooring-stage-';
const ROUNDS = 40;
const PAUSE = 50;

/** Where groups may be made: beside this process or above it, in the one hierarchy or in that of old for processes. */
async function places(): Promise<string[]> {
  const lines = (await readFile('/proc/self/cgroup', 'utf8').catch(() => '')).trim().split('\n');
  const found: string[] = [];
  for (const line of lines) {
    const [number, controllers = '', own = ''] = line.split(':');
    const isOld = controllers.split(',').includes('pids');
    if (!isOld && number !== '0') continue;
    const root = path.join('/sys/fs/cgroup', isOld ? 'pids' : '');
    for (let at = path.join(root, own); at.startsWith(root); at = path.dirname(at)) found.push(at);
  }
  return found;
}

async function endAll(folder: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const inside = await readFile(path.join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
    for (const pid of inside.split('\n').filter(Boolean)) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
    const isGone = await rmdir(folder).then(
      () => true,
      () => !existsSync(folder),
    );
    if (isGone) return;
    await setTimeout(PAUSE);
  }
}

/** One with room for so many processes; none where the system has no such groups, or this user may not make them. */
export async function makeCgroup(processes: number): Promise<Cgroup | undefined> {
  for (const place of await places()) {
    const folder = path.join(place, `${PREFIX}${randomUUID()}`);
    try {
      await mkdir(folder);
    } catch {
      continue;
    }
    try {
      // Only there if this hierarchy counts processes: it is not made by writing to it.
      await writeFile(path.join(folder, 'pids.max'), String(processes), { flag: 'r+' });
      return { folder, end: () => endAll(folder) };
    } catch {
      await rmdir(folder).catch(() => undefined);
    }
  }
  return undefined;
}

/** The command, put into a group before it begins; where that is refused, it runs without. */
export const within = ({ folder }: Cgroup, command: readonly string[]): string[] => [
  ...['/bin/sh', '-c', '{ echo $$ > "$0"; } 2>/dev/null; exec "$@"', path.join(folder, 'cgroup.procs')],
  ...command,
];

/** Empty ones that a runner left which was killed; those in use stay. */
export async function sweepCgroups(): Promise<void> {
  for (const place of await places()) {
    const names = (await readdir(place).catch(() => [])).filter((name) => name.startsWith(PREFIX));
    for (const name of names) await rmdir(path.join(place, name)).catch(() => undefined);
  }
}
