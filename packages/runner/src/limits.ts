import { readdir, readFile, statfs } from 'node:fs/promises';

/** What one stage of a build, or a suite, may use; what the system does not show is not limited. */
export interface Limits {
  /** What it is called when it has used more. */
  what: 'stage' | 'suite';
  memoryBytes: number;
  processes: number;
  /** A stage ends before the disk of the runner is full. */
  disk: { folder: string; leaveBytes: number };
}

const MIB = 1_048_576;
const EVERY = 500;

interface Process {
  pid: number;
  parent: number;
  bytes: number;
}

/** One that has ended, and waits for its parent to hear of it, has no memory. */
function readStatus(text: string): Process[] {
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return text === '' ? [] : [{ pid: number('Pid'), parent: number('PPid'), bytes: number('VmRSS') * 1024 }];
}

async function listProcesses(): Promise<Process[]> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(`/proc/${name}/status`, 'utf8').catch(() => '')));
  return texts.flatMap(readStatus);
}

/** A process and all below it; those of a sandbox stay below it whatever they do. */
export async function listBelow(root: number): Promise<Process[]> {
  const all = await listProcesses();
  const below = Map.groupBy(all, ({ parent }) => parent);
  const found: Process[] = [];
  for (let next = all.filter(({ pid }) => pid === root); next.length > 0; ) {
    found.push(...next);
    next = next.flatMap(({ pid }) => below.get(pid) ?? []);
  }
  return found;
}

export async function measure(root: number): Promise<{ processes: number; bytes: number }> {
  const found = await listBelow(root);
  return { processes: found.length, bytes: found.reduce((sum, { bytes }) => sum + bytes, 0) };
}

async function exceeded(root: number, { what, memoryBytes, processes, disk }: Limits): Promise<string | undefined> {
  const used = await measure(root);
  if (used.processes > processes) return `It had ${used.processes} processes; a ${what} may have ${processes}.`;
  if (used.bytes > memoryBytes) {
    return `It used ${Math.ceil(used.bytes / MIB)} MiB of memory; a ${what} may use ${Math.floor(memoryBytes / MIB)} MiB.`;
  }
  const { bavail, bsize } = await statfs(disk.folder);
  const left = bavail * bsize;
  if (left >= disk.leaveBytes) return undefined;
  return `The disk of the runner has ${Math.floor(left / MIB)} MiB left; a ${what} leaves ${Math.floor(disk.leaveBytes / MIB)} MiB.`;
}

/** Looks again and again what a process and all below it use; says once which limit they passed. Ends with what it returns. */
export function watchLimits(root: number, limits: Limits, onExceeded: (words: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = async () => {
    const words = await exceeded(root, limits).catch(() => undefined);
    if (isOver) return;
    if (words === undefined) timer = setTimeout(look, EVERY);
    else onExceeded(words);
  };
  timer = setTimeout(look, EVERY / 5);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
