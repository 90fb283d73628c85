import { createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into a server process (`NODE_OPTIONS=--import`), it measures how long its event loop stalls. A timer runs once in
 * every turn of the loop, so the CPU time that the main thread used between two runs is the length of one turn. CPU time
 * leaves out the time that other programs of the machine took; the wall clock is recorded beside it.
 */
export interface ProbeFigures {
  /** CPU time of the main thread in its longest turn, in ms. */
  stallMs: number;
  /** The longest turn by the wall clock, in ms. */
  wallMs: number;
}

const TICK_MS = 2;
const path = process.env.LOOP_PROBE;
// Child processes of the server inherit the option, but have their own loops.
if (path && isMainThread && process.argv[1]?.endsWith('main.ts')) measure(path);

function measure(socketPath: string): void {
  delete process.env.LOOP_PROBE;
  delete process.env.NODE_OPTIONS;
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const cpuMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let figures: ProbeFigures = { stallMs: 0, wallMs: 0 };
  let [cpu, wall] = [cpuMs(), performance.now()];
  const sample = (): void => {
    const [cpuNow, wallNow] = [cpuMs(), performance.now()];
    figures.stallMs = Math.max(figures.stallMs, cpuNow - cpu);
    figures.wallMs = Math.max(figures.wallMs, wallNow - wall - TICK_MS);
    [cpu, wall] = [cpuNow, wallNow];
  };
  const restart = (): void => {
    figures = { stallMs: 0, wallMs: 0 };
    [cpu, wall] = [cpuMs(), performance.now()];
  };
  setInterval(sample, TICK_MS).unref();

  const body = JSON.stringify({ items: Array.from({ length: 30_000 }, (_, n) => ({ id: n, name: `item ${n}` })) });
  /** CPU time that this machine needs for work of a known size: parsing about a megabyte of JSON. */
  const calibrate = (): number => {
    const times = Array.from({ length: 5 }, () => {
      const before = cpuMs();
      JSON.parse(body);
      return cpuMs() - before;
    });
    return times.sort((a, b) => a - b)[2] ?? 0;
  };
  const commands: Record<string, () => unknown> = {
    calibrate,
    collect: () => {
      collectGarbage();
      return null;
    },
    restart: () => {
      restart();
      return null;
    },
    read: () => {
      sample();
      return figures;
    },
  };
  const server = createServer((socket) => {
    socket.unref();
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (command: string) => {
      const result = commands[command.trim()]?.();
      // The work of the probe itself does not count.
      if (command.trim() !== 'read') restart();
      socket.write(`${JSON.stringify(result ?? null)}\n`);
    });
  });
  server.listen(socketPath).unref();
}
