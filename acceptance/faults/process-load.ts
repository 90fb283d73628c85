import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProbeFigures } from './hostile/loop-probe.ts';

/** Communicates with the probe in a server process. */
export async function connectProbe(path: string) {
  const socket = connect(path);
  await once(socket, 'connect');
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const run = async <T>(command: string): Promise<T> => {
    socket.write(command);
    const { value, done } = await lines.next();
    if (done) throw new Error('The server process has exited.');
    return JSON.parse(value) as T;
  };
  return {
    calibrate: () => run<number>('calibrate'),
    collectGarbage: () => run<null>('collect'),
    restart: () => run<null>('restart'),
    read: () => run<ProbeFigures>('read'),
    close: () => socket.destroy(),
  };
}

export type Probe = Awaited<ReturnType<typeof connectProbe>>;

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

function listTasks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** A process and all its descendants, on Linux. */
function listProcesses(pid: number): number[] {
  const children = listTasks(pid).flatMap((task) =>
    readText(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(listProcesses)];
}

export interface Load {
  /** Memory without backing files of all processes, in MB: shared programs and libraries do not count for each. */
  memoryMb: number;
  /** CPU time of all processes, in ms. */
  cpuMs: number;
}

const TICKS_PER_SECOND = 100;

export function readLoad(pid: number): Load {
  const load: Load = { memoryMb: 0, cpuMs: 0 };
  for (const each of listProcesses(pid)) {
    const status = readText(`/proc/${each}/status`);
    const [anonymous, shared] = [/RssAnon:\s+(\d+)/, /RssShmem:\s+(\d+)/].map((field) =>
      Number(field.exec(status)?.[1] ?? 0),
    );
    load.memoryMb += ((anonymous ?? 0) + (shared ?? 0)) / 1024;
    const fields = readText(`/proc/${each}/stat`).split(') ')[1]?.split(' ') ?? [];
    load.cpuMs += ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 1000) / TICKS_PER_SECOND;
  }
  return load;
}

const SAMPLE_MS = 20;

/** Measures the memory of a server and its child processes, until it is stopped. */
export function watchMemory(pid: number) {
  const before = readLoad(pid).memoryMb;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, readLoad(pid).memoryMb);
  }, SAMPLE_MS);
  return {
    /** The largest growth in MB. */
    stop(): number {
      clearInterval(timer);
      return Math.max(most, readLoad(pid).memoryMb) - before;
    },
  };
}

const QUIET_MS = 120;
const QUIET_SHARE = 0.25;

/** Waits until a server is idle: background work is part of the cost of a request. */
export async function untilIdle(pid: number, patienceMs = 60_000): Promise<void> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    const before = readLoad(pid).cpuMs;
    await sleep(QUIET_MS);
    if (readLoad(pid).cpuMs - before <= QUIET_SHARE * QUIET_MS) return;
  }
}
