import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../../packages/server/src/kernel/log.ts';
import { findProgram } from '../../packages/server/src/workers/find-program.ts';
import { superviseProgram } from '../../packages/server/src/workers/programs.ts';
import { llvmSymbolizer } from '../../packages/server/src/workers/symbolizers.ts';
import {
  type App,
  countReports,
  fill,
  multiplyReports,
  openApp,
  request,
  sendSome,
  signIn,
  TOGETHER,
  until,
  uploadSymbols,
} from '../fixtures/crash-fixtures.ts';
import { BUSY_USER, compileLibrary, javaCrash, type Library, listKinds, shopCrash } from '../fixtures/crash-logs.ts';
import { type Bench, type Contestant, listChildren, median, number, peakRss, table } from '../harness.ts';

const PER_SECOND = 500;
const SLOWEST_NAMING = 20;
const SLOWEST_PAGE = 50;
const MAX_GROWTH = 1.3;

/** At a steady rate: the time until the last report was visible. */
async function sendSteadily(app: App, seconds: number, problems: number): Promise<number> {
  const before = await countReports(app);
  const count = PER_SECOND * seconds;
  const start = performance.now();
  const sending: Promise<void>[] = [];
  for (let at = 0; at < count; at += TOGETHER) {
    const due = start + (at * 1000) / PER_SECOND;
    if (due > performance.now()) await sleep(due - performance.now());
    sending.push(sendSome(app, at, (n) => javaCrash(n, problems)));
  }
  await Promise.all(sending);
  return until(async () => (await countReports(app)) >= before + count);
}

async function measureTimes(app: App): Promise<Record<string, number>> {
  const { values } = (await request(app, 'crash_issues?limit=1&sort=count&order=desc')) as { values: { id: string }[] };
  const { errors } = (await request(app, 'errors/search?$top=1')) as { errors: { errorId: string }[] };
  const { crash_groups } = (await request(app, 'crash_groups?$top=1')) as {
    crash_groups: { crash_group_id: string }[];
  };
  const search = (filter: Record<string, string>) => `errors/search?${new URLSearchParams(filter)}`;
  const pages = {
    'issues by time': 'crash_issues?limit=50&sort=last_at&order=desc',
    'issues with a word': 'crash_issues?limit=50&search=cart7',
    'groups of the API': 'crash_groups?$top=30',
    'a group of the API': `crash_groups/${crash_groups[0]?.crash_group_id}`,
    'an issue with all counts': `crash_issues/${values[0]?.id}`,
    'its reports': `crash_issues/${values[0]?.id}/reports`,
    'search: a word': search({ q: 'cart7' }),
    'search: the id of a report': search({ q: errors[0]?.errorId ?? '' }),
    'search: a user': search({ filter: `userId eq '${BUSY_USER}'` }),
    'search: a version on a model': search({ filter: "appVersion eq '1.3.0' and deviceName eq 'Model 13'" }),
    'search: without symbols': search({ filter: 'symbolicated eq false' }),
  };
  const found: Record<string, number> = {};
  for (const [what, path] of Object.entries(pages)) {
    await request(app, path);
    const times: number[] = [];
    for (let round = 0; round < 15; round += 1) {
      const start = performance.now();
      await request(app, path);
      times.push(performance.now() - start);
    }
    found[what] = median(times);
  }
  return found;
}

/** A library with debug information, asked for the frames of one report repeatedly. */
async function timeNaming(bench: Bench, { file, addresses }: Library): Promise<string> {
  const program = superviseProgram(llvmSymbolizer, createLog('silent'));
  const lines = addresses.map((address) => `CODE "${file}" ${address}`);
  await program.request(lines, { owner: 'bench' });
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const start = performance.now();
    await program.request(lines, { owner: 'bench' });
    times.push(performance.now() - start);
  }
  await program.close();
  const measured = median(times);
  bench.goal({
    what: `${addresses.length} frames symbolicated`,
    aim: { atMost: SLOWEST_NAMING },
    measured,
    unit: ' ms',
    digits: 1,
  });
  return `${addresses.length} frames of a library with debug information are symbolicated in ${number(median(times), 1)} ms after it was opened (limit ${SLOWEST_NAMING} ms); cached results are not counted.`;
}

const getCommand = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');

/** The CPU time and memory of the programs that read symbols. */
function measureReaderMemory({ process: { pid = 0 } }: Contestant): string {
  const shown = listChildren(pid).flatMap((child) => {
    const command = getCommand(child);
    const name = /llvm-symbolizer/.test(command)
      ? 'llvm-symbolizer'
      : /reading\.process/.test(command)
        ? 'readers'
        : '';
    return name === '' ? [] : `${name} ${number(peakRss(child))} MB`;
  });
  return shown.length > 0 ? shown.join(', ') : 'none was running';
}

/** Each kind in its own app, first without symbols, then in one with symbols. */
async function rateKinds(server: Contestant, token: string, library: Library | undefined, count: number) {
  const rows: string[][] = [];
  for (const kind of listKinds(library)) {
    const rate = async (withSymbols: boolean): Promise<string> => {
      const app = await openApp(
        server,
        token,
        `${kind.name.replaceAll(/\W+/g, ' ')} ${withSymbols ? 'with' : 'without'}`,
      );
      if (withSymbols) await uploadSymbols(app, kind);
      return number(await fill(app, count, kind.log));
    };
    rows.push([kind.name, await rate(false), kind.symbols ? await rate(true) : '–']);
  }
  return rows;
}

/**
 * Crashes: processing speed, time until they are visible, cost of pages with few and many reports, and speed of
 * symbolication.
 */
export async function measureCrashes(bench: Bench): Promise<string> {
  const [few, times, problems, seconds, each] = bench.isQuick
    ? [500, 10, 50, 2, 200]
    : [10_000, 100, 10_000, 20, 3_000];
  const compiler = findProgram(['gcc', 'cc', 'clang-19', 'clang']);
  const canName = compiler !== undefined && findProgram(llvmSymbolizer.commands) !== undefined;
  const library = canName ? compileLibrary(bench, compiler) : undefined;
  const dataDir = bench.at('crashes');

  const small = await bench.startMooring('crashes', { dataDir });
  const token = await signIn(small);
  const rates = await rateKinds(small, token, library, each);
  const readers = measureReaderMemory(small);
  const app = await openApp(small, token, 'Shop');
  await fill(app, few, (n) => shopCrash(n, problems));
  const before = await measureTimes(app);
  const memory = peakRss(small.process.pid);
  const { promise, resolve } = Promise.withResolvers<void>();
  small.process.once('exit', () => resolve());
  small.process.kill();
  await promise;

  multiplyReports(dataDir, times);
  const large = await bench.startMooring('crashes', { dataDir });
  const grown = { ...app, base: app.base.replace(/:\d+/, `:${large.port}`) };
  const after = await measureTimes(grown);
  const waited = await sendSteadily(grown, seconds, problems);
  large.process.kill();
  bench.goal({ what: 'A crash becomes visible', aim: { atMost: 5 }, measured: waited, unit: ' s', digits: 1 });
  for (const [what, ms] of Object.entries(before)) {
    const measured = after[what] ?? 0;
    bench.goal({ what: `Crashes, ${what}`, aim: { atMost: SLOWEST_PAGE }, measured, unit: ' ms', digits: 1 });
    const growth = { aim: { atMost: MAX_GROWTH }, measured: measured / ms, unit: ' ×', digits: 2 };
    bench.goal({ what: `Crashes, ${what}: growth`, ...growth });
  }

  const rows = Object.entries(before).map(([what, ms]) => [
    what,
    `${number(ms, 1)} ms`,
    `${number(after[what] ?? 0, 1)} ms`,
    number((after[what] ?? 0) / ms, 2),
  ]);
  return [
    `## Crashes, ${number(problems)} problems in ten versions, on SQLite`,
    `Reports per second that become groups and counts, from ${number(each)} that are sent as fast as they are accepted. Peak memory of the server: ${number(memory)} MB; of the symbol readers: ${readers}.`,
    table(['kind', 'without symbols', 'with symbols'], rates),
    `With ${number(few * times)} stored reports, at ${PER_SECOND} per second for ${seconds} s, the last is visible ${number(waited, 1)} s after it was sent (limit 5 s).`,
    `Medians of 15. Limits: ${SLOWEST_PAGE} ms with a million reports, and ${MAX_GROWTH} × the time with few. The many are copies over 80 days, created by the database; pages are full in both cases.`,
    table(['page', `${number(few)} reports`, `${number(few * times)} reports`, 'ratio'], rows),
    library
      ? await timeNaming(bench, library)
      : 'llvm-symbolizer or a compiler is not installed, so naming was not measured.',
  ].join('\n\n');
}
