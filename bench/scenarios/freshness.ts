import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Bench, getResidentMemory, listChildren, number, table } from '../harness.ts';

interface Figures {
  logsPerSecond: number;
  refused: number;
  /** Milliseconds until a log was counted. */
  seen: number[];
}

const RATE = 20_000;
/** Costs that grow with each log show after millions, and the machine stays usable meanwhile. */
const HOUR_RATE = 1000;
const script = path.join(import.meta.dirname, '../load/steady-load.ts');

/**
 * Logs arrive at a steady rate at a server that does all work; measures the time until they are counted, and the
 * memory.
 */
async function measureSteadily(bench: Bench, name: string, rate: number, seconds: number): Promise<string> {
  const server = await bench.startMooring(name, { dataDir: bench.at(name) });
  const pid = server.process.pid ?? 0;
  const samples: { server: number; counter: number }[] = [];
  let isOver = false;
  const sampling = (async () => {
    for (const every = Math.max(200, seconds * 5); !isOver; ) {
      await sleep(every);
      const counters = listChildren(pid).map(getResidentMemory);
      samples.push({ server: getResidentMemory(pid), counter: Math.max(0, ...counters) });
    }
  })();
  const args = [script, String(server.port), String(rate), String(seconds)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 ** 2 });
  isOver = true;
  await sampling;
  server.process.kill();
  const { logsPerSecond, refused, seen } = JSON.parse(stdout) as Figures;
  const sorted = seen.toSorted((a, b) => a - b);
  const secondsAt = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0) / 1000;
  const at = (share: number) => `${number(secondsAt(share), 1)} s`;
  const what = `Logs at ${number(rate)} a second`;
  bench.goal({ what: `${what} counted, p99`, aim: { atMost: 10 }, measured: secondsAt(0.99), unit: ' s', digits: 1 });
  for (const [of, name, atMost] of [
    ['server', 'server', 300],
    ['counter', 'telemetry process', 700],
  ] as const) {
    const measured = Math.max(0, ...samples.map((one) => one[of]));
    bench.goal({ what: `${what}: memory of the ${name}`, aim: { atMost }, measured, unit: ' MB' });
  }
  const quarter = Math.ceil(samples.length / 4);
  const mean = (some: typeof samples, of: 'server' | 'counter') =>
    number(some.reduce((sum, one) => sum + one[of], 0) / Math.max(1, some.length));
  const memory = (of: 'server' | 'counter') =>
    `${mean(samples.slice(quarter, 2 * quarter), of)} → ${mean(samples.slice(-quarter), of)}, most ${number(Math.max(0, ...samples.map((one) => one[of])))} MB`;
  return table(
    [
      'seconds',
      'logs/s',
      'refused',
      'counted within, p50',
      'p99',
      'memory of the server, second and last quarter',
      'of the telemetry process',
    ],
    [[number(seconds), number(logsPerSecond), number(refused), at(0.5), at(0.99), memory('server'), memory('counter')]],
  );
}

const text = (rate: number) =>
  `Devices send ${number(rate)} logs per second to one server on SQLite, which receives, writes and counts them. In parallel a client sends single logs, one after the other, and waits until each is counted.`;

export const measureFreshness = async (bench: Bench): Promise<string> =>
  [
    '## Delay until logs are counted',
    `${text(RATE)} Limits: 99% within 10 s; 300 MB for the server and 700 MB for the telemetry process.`,
    await measureSteadily(bench, 'freshness', RATE, bench.isQuick ? 15 : 180),
  ].join('\n\n');

/** Only if it is named. */
export const measureHour = async (bench: Bench): Promise<string> =>
  [
    '## An hour of logs',
    `${text(HOUR_RATE)} Both processes should be as large in the last quarter as in the second.`,
    await measureSteadily(bench, 'hour', HOUR_RATE, bench.isQuick ? 60 : 3600),
  ].join('\n\n');
