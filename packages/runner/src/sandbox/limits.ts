import { readdir, readFile, statfs } from 'node:fs/promises';

/** Resource limits of a build stage or a test suite. Resources that the system doesn't report are not limited. */
export interface Limits {
  /** Used in messages. */
  kind: 'stage' | 'suite';
  memoryBytes: number;
  processes: number;
  /** Space that must stay free on the disk of the runner. */
  disk: { folder: string; leaveBytes: number };
}

const MIB = 1_048_576;
const CHECK_INTERVAL_MS = 500;

interface Process {
  pid: number;
  parent: number;
  bytes: number;
}

/** Zombie processes have no VmRSS line, and count as 0 bytes. */
function readStatus(text: string): Process[] {
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return text === '' ? [] : [{ pid: number('Pid'), parent: number('PPid'), bytes: number('VmRSS') * 1024 }];
}

async function listProcesses(): Promise<Process[]> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(`/proc/${name}/status`, 'utf8').catch(() => '')));
  return texts.flatMap(readStatus);
}

/** Lists a process and its descendants. Processes in a sandbox can't leave this tree. */
export async function listProcessTree(root: number): Promise<Process[]> {
  const all = await listProcesses();
  const childrenByParent = Map.groupBy(all, ({ parent }) => parent);
  const processTree: Process[] = [];
  for (let next = all.filter(({ pid }) => pid === root); next.length > 0; ) {
    processTree.push(...next);
    next = next.flatMap(({ pid }) => childrenByParent.get(pid) ?? []);
  }
  return processTree;
}

export async function measure(root: number): Promise<{ processes: number; bytes: number }> {
  const processTree = await listProcessTree(root);
  return { processes: processTree.length, bytes: processTree.reduce((sum, { bytes }) => sum + bytes, 0) };
}

async function findExceededLimit(
  root: number,
  { kind, memoryBytes, processes, disk }: Limits,
): Promise<string | undefined> {
  const used = await measure(root);
  if (used.processes > processes) return `It had ${used.processes} processes; the limit for a ${kind} is ${processes}.`;
  if (used.bytes > memoryBytes) {
    return `It used ${Math.ceil(used.bytes / MIB)} MiB of memory; the limit for a ${kind} is ${Math.floor(memoryBytes / MIB)} MiB.`;
  }
  const { bavail, bsize } = await statfs(disk.folder);
  const left = bavail * bsize;
  if (left >= disk.leaveBytes) return undefined;
  return `The disk of the runner has only ${Math.floor(left / MIB)} MiB free; a ${kind} must leave ${Math.floor(disk.leaveBytes / MIB)} MiB.`;
}

/** Monitors a process tree, and reports the first exceeded limit. Returns a function that stops monitoring. */
export function watchLimits(root: number, limits: Limits, onExceeded: (reason: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const check = async () => {
    const reason = await findExceededLimit(root, limits).catch(() => undefined);
    if (isOver) return;
    if (reason === undefined) timer = setTimeout(check, CHECK_INTERVAL_MS);
    else onExceeded(reason);
  };
  timer = setTimeout(check, CHECK_INTERVAL_MS / 5);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
