import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { readGoals, writeGoals } from './goals.ts';
import { type Bench, type Goal, number, openBench } from './harness.ts';
import { compareAppLists } from './scenarios/apps.ts';
import { measureBuilds } from './scenarios/builds.ts';
import { compareUpdateChecks } from './scenarios/codepush.ts';
import { measureCompaction } from './scenarios/compaction.ts';
import { measureConsole } from './scenarios/console.ts';
import { measureCrashes } from './scenarios/crashes.ts';
import { measureDeletion } from './scenarios/deletion.ts';
import { measureDeliveries } from './scenarios/deliveries.ts';
import { measureFreshness, measureHour } from './scenarios/freshness.ts';
import { drawGrowth } from './scenarios/growth.ts';
import { compareHealth } from './scenarios/health.ts';
import { compareIngestion } from './scenarios/ingest.ts';
import { compareLookups } from './scenarios/lookups.ts';
import { loadMixed } from './scenarios/mixed.ts';
import { racePeers } from './scenarios/peers.ts';
import { measureReleases } from './scenarios/releases.ts';
import { measureSearch } from './scenarios/search.ts';
import { compareTelemetry } from './scenarios/telemetry.ts';
import { measureTests } from './scenarios/tests.ts';
import { compareUserReads } from './scenarios/user.ts';

/**
 * `npm run bench`: everything side by side in one run. `--user`, `--apps`, … for some scenarios only, which then replace
 * their scenarios of the results; `--quick` for few rounds, only printed.
 */
const scenarios: Record<string, (bench: Bench) => Promise<string>> = {
  user: compareUserReads,
  apps: compareAppLists,
  lookups: compareLookups,
  search: measureSearch,
  health: compareHealth,
  ingest: compareIngestion,
  crashes: measureCrashes,
  deliveries: measureDeliveries,
  deletion: measureDeletion,
  codepush: compareUpdateChecks,
  releases: measureReleases,
  compaction: measureCompaction,
  telemetry: compareTelemetry,
  freshness: measureFreshness,
  hour: measureHour,
  peers: racePeers,
  mixed: loadMixed,
  growth: drawGrowth,
  console: measureConsole,
  tests: measureTests,
  builds: measureBuilds,
};

/** So long that they only run when they are named. */
const lengthy = ['hour'];

const words = process.argv.slice(2).map((word) => word.replace(/^--/, ''));
const isQuick = words.includes('quick');
const wanted = words.filter((word) => word in scenarios);
const unknown = words.filter((word) => word !== 'quick' && !(word in scenarios));
if (unknown.length > 0) {
  process.stderr.write(
    `No scenario of the benchmark is called ${unknown.join(', ')}; choose among ${Object.keys(scenarios).join(', ')}.\n`,
  );
  process.exit(2);
}

const head = `# Results

Written by \`npm run bench\`, which does all of it again in about 40 minutes; \`npm run bench -- --peers\` does one scenario, by the
name in the comment above it. Let the machine do nothing else meanwhile. Read the ratios: absolute figures change with the
machine, and load generator and servers share its cores.
`;

const behind = `## Where Mooring is still behind

- **Who am I, against the best of the others.** That peer answers a token that it keeps in memory, and an empty \`node:http\` server, which
  knows neither callers nor limits nor logs, is 9.8 times as fast as it here: eight times would be 0.82 of empty. Of the 15 µs
  of processor time that a request costs beyond it, the log line takes 4 to 5 and the count against the limit with its
  headers 3 to 4 (seen by turning each off); the rest is the credential and Fastify.
- **An authenticated read on x64 and on arm64.** What Mooring adds to a request takes about as long on both: 17 and 21 µs on SQLite, 30
  and 26 on PostgreSQL. What differs is the empty server that it is held against, with 22 and 48 µs, most of which is the system's
  side of a socket. For 0.70 on x64 all that Mooring does would have to fit into 9 µs, of which the log line alone takes 4 to 5. (Requests a
  second, empty, SQLite and PostgreSQL: 46,157, 25,931 and 19,209 on x64, 2026-11-16; 20,683, 14,420 and 13,513 on arm64, 2026-11-15.)
  The ratio differs from run to run: 0.64, 0.69, 0.70 and 0.72 on SQLite on the same machine.
- **A page of health events made anew.** Which events are on it is asked of the index for every caller whose question differs from all
  before it, and the page is put together from what is kept of them until one changes: 0.44 ms on SQLite (0.84 when bodies were read for every page),
  0.9 on PostgreSQL (1.4). Half of what is left is the query over six ranges of the index; a union that keeps what
  is there twice was slower, rows as one text hardly faster. Clients that poll ask the same again and get it as kept.
- **A search by who sees everything, for what nearly nothing has.** Words are found anywhere in a name, so the names of all apps and people
  are looked at, and the 10,000 newest releases, issues and builds with their groups and commits; before, all that somebody may see was put
  in order first, three quarters of a second for each kind on PostgreSQL. What many have is found in less than a tenth of a second. An
  index of pieces of words would find the rest at once, but it would be written at every release, build and report, and
  PostgreSQL has one only as an extension.
- **Single events published over HTTP beside many readers.** They share one event loop on SQLite; an import is the way for many.
- **A list of apps on PostgreSQL when it is not kept**, three times as slow as on SQLite: the ranks of all apps are worked out
  before a page of them is taken.
- **What devices send, beside which somebody reads.** 6 and 7 ms instead of 5: answers of one commit come together, so a read waits for some
  of them. Of the processor time of a batch half is \`JSON.parse\` and a tenth zlib. (Until old objects were looked through less often,
  a quarter was the collector, and a read waited 13 and 16 ms: ADR 0061.)
- **Memory at 20,000 logs a second.** 319 and 332 MB in two runs instead of 300 (290 before ADR 0061): old objects may double before they are
  looked through. In return logs are counted after 4.9 s instead of 5.7, and as many as can be take 265 MB instead of 330.
- **The hour of logs.** It ran beside the whole test suite, which had both cores busy: a log was counted after 9.6 s in the middle
  and 71 s at the worst. It was run for the memory: the server took 253 MB in its second quarter and 265 in its last, with 340 for a
  moment; the process that counts 253 and 300, below its limit of 700.
- **Update checks.** Answers are kept as they are sent, and nothing of a deployment is read again until it changes. On SQLite 0.68 of empty (0.43
  until what belongs to a request no longer outlived it, ADR 0061); on PostgreSQL each tick asks another process for the version.
  While there is a release, a promotion or a rollback on PostgreSQL, the p99 is 30 to 40 ms (34 to 48 before), but without one it
  fell from 31 to 14, so that the ratio of both is beyond 2.
- **Compaction.** 46,000 logs a second; 38,000 before reading, taking in and writing ran at once, a session was told once for all of its
  logs, and nothing was copied that is there once. The load sent repeats in earlier runs, which cost less to write. Reading JSON
  takes the server as long as sorting and compressing takes the process that counts, and both share two cores.
- **In-app update checks.** 0.53 and 0.49 of empty (0.40 and 0.39 before ADR 0061). As with those of CodePush, answers are kept as they are
  sent; what is left is Fastify, the log line and the count against the limit. Versions are read once for all apps of one tick.
- **Uploads by ranges.** 290 MB a second, a fifth to a third of the disk, which took 1,503 and 828 in two runs. Parts are
  written once, in their place (0.02 to 0.06 of the disk when they were written twice). Each range is a request with a transaction and two synchronizations of its own, and its SHA-256 runs along on the same two
  cores as the sender.
- **Values of a property, and funnels, against PostgreSQL and ClickHouse.** Their rows are found by event, two of a hundred. Here the
  columns of a day are inflated whole, though their rows are in the order of events: groups of 16,384 rows instead of 122,880 halve the time and make
  files a fifth larger (49 bytes a log), which 40 bytes a log do not allow. Times of logs are no longer read for it.
- **All events with their devices.** Four and a half million pairs of event and device are told apart exactly. Bitmaps by numbered
  devices were as slow; pairs are now only made for the names that are shown, in half the memory.
- **Crashes of an app with a million reports, where nothing is kept.** Devices without a crash over four weeks are told apart exactly,
  350,000 of them in a third of a second, and a search by a country, language or system that nearly no report has looks at all
  of them, in half a second. An index for each would cost every report a place to write to; what people search by has one.
- **Active devices with a filter.** Half of it is to open 89 files; order and size of their groups change a tenth.
`;

const goalsHead = `## Goals

What was aimed at, and what the last run of each part found. Those that are not met are explained below the table.`;

const results = path.join(import.meta.dirname, 'results.md');
const mark = (part: string) => `<!-- ${part} -->`;

/** What earlier runs found out, by part. */
function readParts(text: string): Map<string, string> {
  const found = text.split(/^<!-- (?=\w+ -->$)/m).slice(1);
  return new Map(found.map((part) => [part.slice(0, part.indexOf(' ')), part.slice(part.indexOf('\n')).trim()]));
}

const bench = await openBench(isQuick);
try {
  // Once for nothing, so that the server is compiled, as `npm start` leaves it.
  const warm = await bench.startMooring('warm-up', { dataDir: bench.at('warm-up') });
  warm.process.kill();

  const machine = `${process.arch}, ${cpus().length} cores (${cpus()[0]?.model.trim() || 'model not told'}), ${number(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const before = existsSync(results) && !isQuick ? readFileSync(results, 'utf8') : '';
  const known = readParts(before);
  const goals = new Map<string, Goal[]>();
  for (const [part, measure] of Object.entries(scenarios)) {
    if (wanted.length > 0 ? !wanted.includes(part) : lengthy.includes(part)) continue;
    const date = new Date().toISOString().slice(0, 10);
    known.set(part, `${await measure(bench)}\n\nMeasured ${date} on ${machine}.`);
    goals.set(part, bench.takeGoals());
  }
  const body = Object.keys(scenarios).flatMap((part) => (known.has(part) ? `${mark(part)}\n${known.get(part)}` : []));
  const table = writeGoals(Object.keys(scenarios), readGoals(before), goals);
  const report = `${head}\n${goalsHead}\n\n${table}\n\n${behind}\n${body.join('\n\n')}\n`;
  process.stdout.write(`\n${report}`);
  if (!isQuick) writeFileSync(results, report);
} finally {
  await bench.close();
}
