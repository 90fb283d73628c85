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
import { compareEnvelopes } from './scenarios/envelopes.ts';
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
 * `npm run bench` runs all scenarios. `--user`, `--apps` and so on select scenarios, and replace only their part of the
 * results. `--quick` runs few rounds, and only prints the results.
 */
const scenarios: Record<string, (bench: Bench) => Promise<string>> = {
  user: compareUserReads,
  apps: compareAppLists,
  lookups: compareLookups,
  search: measureSearch,
  health: compareHealth,
  ingest: compareIngestion,
  envelopes: compareEnvelopes,
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

/** Long scenarios, which run only if they are named. */
const lengthy = ['hour'];

const args = process.argv.slice(2).map((arg) => arg.replace(/^--/, ''));
const isQuick = args.includes('quick');
const selected = args.filter((arg) => arg in scenarios);
const unknown = args.filter((arg) => arg !== 'quick' && !(arg in scenarios));
if (unknown.length > 0) {
  process.stderr.write(`Unknown scenario: ${unknown.join(', ')}. Choose from: ${Object.keys(scenarios).join(', ')}.\n`);
  process.exit(2);
}

const head = `# Results

How fast Mooring is, compared with its goals and with other servers. \`npm run bench\` repeats all measurements in about 40 minutes;
\`npm run bench -- --peers\` repeats one part, named in the last column of the goals. Run nothing else on the machine meanwhile. Compare
ratios: absolute figures depend on the machine, and the load generator shares its cores with the servers.
`;

const behind = `## Goals that Mooring misses

- **Own account, compared with the best of the others.** That server looks up its only token in memory. A bare \`node:http\` server, without
  credentials, limits and logs, is 9.8 times as fast as that server, so eight times as fast would be 0.82 of bare. Of the 15 µs of processor
  time that a request costs beyond a bare one, the log line takes 4 to 5 and the rate limit with its headers 3 to 4 (measured by turning
  each off); the rest is the credential and Fastify.
- **An authenticated read on x64 and on arm64.** Mooring adds about the same time to a request on both: 17 and 21 µs on SQLite, 30 and 26 on
  PostgreSQL. The reference differs: the bare server takes 22 and 48 µs, mostly in the operating system's part of a socket. To reach 0.70 on
  x64, all of Mooring's work would have to fit into 9 µs, and the log line alone takes 4 to 5. (Requests per second, bare, SQLite and
  PostgreSQL: 46,157, 25,931 and 19,209 on x64, 2026-11-16; 20,683, 14,420 and 13,513 on arm64, 2026-11-15.) The ratio varies between runs:
  0.64, 0.69, 0.70 and 0.72 on SQLite on the same machine.
- **A computed page of health events.** For a new query, the index selects the events, and the page is assembled from their cached texts:
  0.44 ms on SQLite (0.84 when texts were read for every page), 0.9 on PostgreSQL (1.4). Half of the remaining time is the query over six
  ranges of the index; a union that keeps duplicates was slower, and rows as one text hardly faster. Clients that poll repeat their query
  and get a cached page.
- **A search by a user who sees everything, for a rare term.** Words match anywhere in a name, so the search reads the names of all apps and
  users, and the 10,000 newest releases, issues and builds with their groups and commits. Sorting all visible rows first, as before, took
  three quarters of a second for each kind on PostgreSQL. Frequent terms are found in less than a tenth of a second. A trigram index would
  find the rest immediately, but every release, build and report would have to update it, and PostgreSQL has one only as an extension.
- **Single events published over HTTP beside many readers.** They share one event loop on SQLite; use an import for many events.
- **An uncached list of apps on PostgreSQL**, three times as slow as on SQLite: the ranks of all apps are computed before a page of them is
  selected.
- **A read during ingestion.** It takes 6 and 7 ms instead of 5: the responses of one commit are sent together, so a read waits for some of
  them. Half of the processor time of a batch is \`JSON.parse\`, a tenth zlib. (Before the changes of ADR 0061, a quarter was garbage
  collection, and a read waited 13 and 16 ms.)
- **Memory at 20,000 logs per second.** 319 and 332 MB in two runs instead of 300 (290 before ADR 0061): the old generation may double
  before the next scan. In return, logs are counted after 4.9 s instead of 5.7, and the maximum load takes 265 MB instead of 330.
- **The hour of logs.** It ran in parallel with the whole test suite, which kept both cores busy: a log was counted after 9.6 s in the
  median and 71 s at the worst. The purpose of the run was memory: the server took 253 MB in its second quarter and 265 in its last, with a
  peak of 340; the telemetry process 253 and 300, below its limit of 700.
- **Update checks.** Responses are cached as bytes, and nothing of a deployment is read again until it changes. On SQLite it reaches 0.68 of
  bare (0.43 before the changes of ADR 0061); on PostgreSQL each tick reads the version from another process. During a release, promotion or
  rollback on PostgreSQL, the p99 is 30 to 40 ms (34 to 48 before), but without one it fell from 31 to 14, so their ratio exceeds 2.
- **Compaction.** 46,000 logs per second; 38,000 before reading, loading and writing ran in parallel, a session was sent once for all of its
  logs, and unique data was no longer copied. Earlier runs sent duplicates, which cost less to write. Reading JSON takes the server as long
  as sorting and compressing takes the telemetry process, and both share two cores.
- **In-app update checks.** 0.53 and 0.49 of bare (0.40 and 0.39 before ADR 0061). As with CodePush, responses are cached as bytes; the rest
  is Fastify, the log line and the rate limit. Versions are read once for all requests of a tick.
- **Uploads by ranges.** 290 MB per second, a fifth to a third of the disk, which took 1,503 and 828 in two runs. Chunks are written once,
  in their place (0.02 to 0.06 of the disk when they were written twice). Each range is a request with a transaction and two
  synchronizations, and its SHA-256 runs on the two cores that the sender uses too.
- **Values of a property, and funnels, against PostgreSQL and ClickHouse.** Those servers find the rows of an event, 2% of all, by an index.
  Mooring decompresses whole columns of a day, although their rows are sorted by event. Groups of 16,384 rows instead of 122,880 would halve
  the time, but make files 20% larger (49 bytes per log), above the goal of 40 bytes. These queries no longer read the times of logs.
- **All events with their devices.** Four and a half million pairs of event and device are counted exactly. Bitmaps of numbered devices were
  as slow; pairs are now computed only for the displayed names, in half the memory.
- **Crashes of an app with a million reports, without a cache.** Devices without a crash over four weeks are counted exactly, 350,000 of
  them in a third of a second. A search by a rare country, language or system reads all reports, which takes half a second. An index for
  each field would slow down storing each report; only the common search fields have one.
- **Active devices with a filter.** Half of the time is spent opening 89 files; another order or size of the groups in them changes the time
  by a tenth.
`;

const goalsHead = `## Goals

The goals, with the result of the last run of each part. The next section explains the missed ones. *Of bare* is the throughput relative to
a bare \`node:http\` server that returns the same bytes; *growth* is the time with the most data relative to the time with the least.`;

const results = path.join(import.meta.dirname, 'results.md');
const mark = (part: string) => `<!-- ${part} -->`;

/** Results of earlier runs, by part. */
function readParts(text: string): Map<string, string> {
  const found = text.split(/^<!-- (?=\w+ -->$)/m).slice(1);
  return new Map(found.map((part) => [part.slice(0, part.indexOf(' ')), part.slice(part.indexOf('\n')).trim()]));
}

const bench = await openBench(isQuick);
try {
  // Starts once without measuring, so that the server is compiled, as `npm start` does.
  const warm = await bench.startMooring('warm-up', { dataDir: bench.at('warm-up') });
  warm.process.kill();

  const machine = `${process.arch}, ${cpus().length} cores (${cpus()[0]?.model.trim() || 'unknown model'}), ${number(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const before = existsSync(results) && !isQuick ? readFileSync(results, 'utf8') : '';
  const known = readParts(before);
  const goals = new Map<string, Goal[]>();
  for (const [part, measure] of Object.entries(scenarios)) {
    if (selected.length > 0 ? !selected.includes(part) : lengthy.includes(part)) continue;
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
