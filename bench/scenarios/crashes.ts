import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../../packages/server/src/kernel/log.ts';
import { findProgram, superviseProgram } from '../../packages/server/src/workers/programs.ts';
import { llvmSymbolizer } from '../../packages/server/src/workers/symbolizers.ts';
import { type Bench, type Contestant, median, number, peakRss, table } from '../harness.ts';

const PER_SECOND = 500;
/** Reports of one request: a device that was offline tells of several. */
const TOGETHER = 5;
const FRAMES = 100;
const SLOWEST_NAMING = 20;
const SLOWEST_PAGE = 50;
const MOST_GROWTH = 1.3;

interface App {
  secret: string;
  token: string;
  base: string;
}

async function openApp({ port }: Contestant): Promise<App> {
  const base = `http://127.0.0.1:${port}`;
  const json = { 'content-type': 'application/json' };
  const authorization = `Basic ${Buffer.from('admin@example.com:correct horse battery').toString('base64')}`;
  const made = await fetch(`${base}/v0.1/api_tokens`, {
    method: 'POST',
    headers: { ...json, authorization },
    body: '{}',
  });
  const { api_token: token } = (await made.json()) as { api_token: string };
  const body = JSON.stringify({ display_name: 'Shop', os: 'Android', platform: 'Java' });
  const created = await fetch(`${base}/v0.1/apps`, {
    method: 'POST',
    headers: { ...json, 'x-api-token': token },
    body,
  });
  const { app_secret, owner, name } = (await created.json()) as {
    app_secret: string;
    owner: { name: string };
    name: string;
  };
  return { secret: app_secret, token, base: `${base}/v0.1/apps/${owner.name}/${name}` };
}

/** One of so many problems, in one of ten versions. */
function crash(n: number, problems: number): object {
  const problem = n % problems;
  const frame = (methodName: string, lineNumber: number) => ({
    className: `org.example.shop.Cart${problem}`,
    methodName,
    fileName: 'Cart.java',
    lineNumber,
  });
  return {
    type: 'managedError',
    id: randomUUID(),
    timestamp: new Date().toISOString(),
    fatal: true,
    errorThreadId: 1,
    userId: `u-${n % 5000}`,
    exception: {
      type: 'java.lang.IllegalStateException',
      message: `cart ${n} is empty`,
      frames: Array.from({ length: 30 }, (_, at) => frame(`step${at}`, at + 1)),
    },
    threads: [{ id: 1, name: 'main', frames: [frame('run', 1)] }],
    device: {
      sdkName: 'appcenter.android',
      sdkVersion: '5.0.6',
      model: `Model ${n % 40}`,
      oemName: 'Google',
      osName: 'Android',
      osVersion: String(10 + (n % 6)),
      locale: 'en_US',
      appVersion: `1.${n % 10}.0`,
      appBuild: String(n % 10),
      appNamespace: 'org.example.shop',
    },
  };
}

async function sendSome({ secret, base }: App, from: number, problems: number): Promise<void> {
  const headers = { 'app-secret': secret, 'install-id': randomUUID(), 'content-type': 'application/json' };
  const logs = Array.from({ length: TOGETHER }, (_, at) => crash(from + at, problems));
  const answer = await fetch(new URL('/logs?api-version=1.0.0', base), {
    method: 'POST',
    headers,
    body: JSON.stringify({ logs }),
  });
  if (answer.status !== 200) throw new Error(`Logs were answered with ${answer.status}.`);
  await answer.arrayBuffer();
}

const ask = async ({ base, token }: App, path: string): Promise<unknown> => {
  const answer = await fetch(`${base}/${path}`, { headers: { 'x-api-token': token } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
};

async function countOf(app: App): Promise<number> {
  const day = new Date().toISOString().slice(0, 10);
  const { count } = (await ask(app, `errors/errorCountsPerDay?start=${day}`)) as { count: number };
  return count;
}

async function until(isTrue: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  while (!(await isTrue())) await sleep(100);
  return (performance.now() - start) / 1000;
}

/** As many as are asked for, as quickly as they are taken; how many a second were processed until the last was seen. */
async function fill(app: App, from: number, to: number, problems: number): Promise<number> {
  const start = performance.now();
  let next = from;
  const sender = async () => {
    while (next < to) {
      const at = next;
      next += TOGETHER;
      await sendSome(app, at, problems);
    }
  };
  await Promise.all(Array.from({ length: 8 }, sender));
  await until(async () => (await countOf(app)) >= to);
  return ((to - from) * 1000) / (performance.now() - start);
}

/** At a steady rate: how long the last took until it was seen. */
async function sendSteadily(app: App, from: number, seconds: number, problems: number): Promise<number> {
  const count = PER_SECOND * seconds;
  const start = performance.now();
  const sending: Promise<void>[] = [];
  for (let at = 0; at < count; at += TOGETHER) {
    const due = start + (at * 1000) / PER_SECOND;
    if (due > performance.now()) await sleep(due - performance.now());
    sending.push(sendSome(app, from + at, problems));
  }
  await Promise.all(sending);
  return until(async () => (await countOf(app)) >= from + count);
}

async function timesOf(app: App): Promise<Record<string, number>> {
  const { values } = (await ask(app, 'crash_issues?limit=1&sort=count&order=desc')) as { values: { id: string }[] };
  const pages = {
    'issues, by when they were seen': 'crash_issues?limit=50&sort=last_at&order=desc',
    'issues that a word is in': 'crash_issues?limit=50&search=cart7',
    'groups of the contract': 'crash_groups?$top=30',
    'an issue with all that is counted': `crash_issues/${values[0]?.id}`,
    'its reports': `crash_issues/${values[0]?.id}/reports`,
    'reports of a user': `errors/search?${new URLSearchParams({ filter: "userId eq 'u-17'" })}`,
  };
  const found: Record<string, number> = {};
  for (const [what, path] of Object.entries(pages)) {
    await ask(app, path);
    const times: number[] = [];
    for (let round = 0; round < 15; round += 1) {
      const start = performance.now();
      await ask(app, path);
      times.push(performance.now() - start);
    }
    found[what] = median(times);
  }
  return found;
}

/** A library with debug information, asked for the frames of one report again and again. */
async function timeNaming(bench: Bench): Promise<string> {
  const compiler = findProgram(['gcc', 'cc', 'clang-19', 'clang']);
  const path = findProgram(llvmSymbolizer.commands);
  if (!compiler || !path) return 'llvm-symbolizer or a compiler is not installed, so naming was not measured.';
  const functions = Array.from(
    { length: FRAMES },
    (_, n) => `__attribute__((noinline)) int f${n}(int x) { return x + ${n}; }`,
  );
  const source = bench.at('naming.c');
  const library = bench.at('naming.so');
  writeFileSync(source, functions.join('\n'));
  execFileSync(compiler, ['-g', '-O1', '-fPIC', '-shared', '-nostdlib', source, '-o', library]);
  const table = execFileSync('nm', [library], { encoding: 'utf8' });
  const addresses = [...table.matchAll(/^([0-9a-f]+) T f\d+$/gm)].map(([, address]) => `0x${address}`);
  const program = superviseProgram(llvmSymbolizer, createLog('silent'));
  const lines = addresses.map((address) => `CODE "${library}" ${address}`);
  await program.ask(lines);
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const start = performance.now();
    await program.ask(lines);
    times.push(performance.now() - start);
  }
  await program.close();
  return `${addresses.length} frames of a library with debug information are named in ${number(median(times), 1)} ms once it has been opened (limit ${SLOWEST_NAMING} ms); answers that are remembered are not counted.`;
}

/** Crashes: how many are processed, when they are seen, what pages cost with few and with many, and how fast frames are named. */
export async function measureCrashes(bench: Bench): Promise<string> {
  const [few, many, problems, seconds] = bench.isQuick ? [500, 1500, 50, 2] : [10_000, 1_000_000, 10_000, 20];
  const server = await bench.startMooring('crashes', { dataDir: bench.at('crashes') });
  const app = await openApp(server);
  const processed = await fill(app, 0, few, problems);
  const waited = await sendSteadily(app, few, seconds, problems);
  const before = await timesOf(app);
  const sent = few + PER_SECOND * seconds;
  if (many > sent) await fill(app, sent, many, problems);
  const after = await timesOf(app);
  const memory = peakRss(server.process.pid);
  server.process.kill();
  const rows = Object.entries(before).map(([what, ms]) => [
    what,
    `${number(ms, 1)} ms`,
    `${number(after[what] ?? 0, 1)} ms`,
    number((after[what] ?? 0) / ms, 2),
  ]);
  return [
    `## Crashes, ${number(problems)} problems in ten versions, on SQLite`,
    `${number(processed)} reports a second become groups and counts while they are sent as quickly as they are taken. At ${PER_SECOND} a second for ${seconds} s, the last is seen ${number(waited, 1)} s after it was sent (limit 5 s). Most memory of the server: ${number(memory)} MB.`,
    `Medians of 15. Limits: ${SLOWEST_PAGE} ms with a million reports, and ${MOST_GROWTH} × what it is with few.`,
    table(['page', `${number(sent)} reports`, `${number(Math.max(many, sent))} reports`, 'ratio'], rows),
    await timeNaming(bench),
  ].join('\n\n');
}
