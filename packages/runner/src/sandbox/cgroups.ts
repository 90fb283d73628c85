import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A Linux control group, which tracks all its processes. */
export interface Cgroup {
  folder: string;
  /** Kills all processes in the group, even those that left their session. */
  end(): Promise<void>;
}

const PREFIX = 'mooring-stage-';
const ROUNDS = 40;
const PAUSE_MS = 50;

/** Folders where groups may be created: at this process or above, in cgroups v2 or in the pids hierarchy of v1. */
async function listParents(): Promise<string[]> {
  const lines = (await readFile('/proc/self/cgroup', 'utf8').catch(() => '')).trim().split('\n');
  const folders: string[] = [];
  for (const line of lines) {
    const [number, controllers = '', own = ''] = line.split(':');
    const isVersion1 = controllers.split(',').includes('pids');
    if (!isVersion1 && number !== '0') continue;
    const root = path.join('/sys/fs/cgroup', isVersion1 ? 'pids' : '');
    for (let at = path.join(root, own); at.startsWith(root); at = path.dirname(at)) folders.push(at);
  }
  return folders;
}

async function killAll(folder: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const inside = await readFile(path.join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
    for (const pid of inside.split('\n').filter(Boolean)) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // The process has already ended.
      }
    }
    const isRemoved = await rmdir(folder).then(
      () => true,
      () => !existsSync(folder),
    );
    if (isRemoved) return;
    await setTimeout(PAUSE_MS);
  }
}

/** Creates a group with a process limit; undefined if the system doesn't support groups or denies permission. */
export async function createCgroup(processes: number): Promise<Cgroup | undefined> {
  for (const place of await listParents()) {
    const folder = path.join(place, `${PREFIX}${randomUUID()}`);
    try {
      await mkdir(folder);
    } catch {
      continue;
    }
    try {
      // The file exists only if this hierarchy limits processes; 'r+' doesn't create it.
      await writeFile(path.join(folder, 'pids.max'), String(processes), { flag: 'r+' });
      return { folder, end: () => killAll(folder) };
    } catch {
      await rmdir(folder).catch(() => undefined);
    }
  }
  return undefined;
}

/** Wraps a command so that it joins the group before it starts. If that fails, it runs without the group. */
export const runInCgroup = ({ folder }: Cgroup, command: readonly string[]): string[] => [
  ...['/bin/sh', '-c', '{ echo $$ > "$0"; } 2>/dev/null; exec "$@"', path.join(folder, 'cgroup.procs')],
  ...command,
];

/** Removes empty groups of killed runners. */
export async function sweepCgroups(): Promise<void> {
  for (const place of await listParents()) {
    const names = (await readdir(place).catch(() => [])).filter((name) => name.startsWith(PREFIX));
    for (const name of names) await rmdir(path.join(place, name)).catch(() => undefined);
  }
}
