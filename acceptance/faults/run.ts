import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { failOver } from '../cluster/failover.ts';
import { changeRolling } from '../cluster/rolling-change.ts';
import { setClockBack } from './clock-back.ts';
import { sendCheapRequests } from './hostile/cheap-requests.ts';
import { checkHeaders } from './hostile/headers.ts';
import { buildHostile } from './hostile/hostile-builds.ts';
import { sendMutatedEnvelopes } from './hostile/mutated-envelopes.ts';
import { sendMutatedLogs } from './hostile/mutated-logs.ts';
import { replayMutatedRequest, sendMutatedRequests } from './hostile/mutated-requests.ts';
import { guessPasswords } from './hostile/password-guessing.ts';
import { killUnderLoad } from './kills/kill.ts';
import { everyKill, killBuilds } from './kills/kill-builds.ts';
import { killCodepush } from './kills/kill-codepush.ts';
import { killCounting } from './kills/kill-counting.ts';
import { killCrashes } from './kills/kill-crashes.ts';
import { killIngestion } from './kills/kill-ingestion.ts';
import { killOutbound } from './kills/kill-outbound.ts';
import { killAtSteps, stepClock } from './kills/kill-steps.ts';
import { killTests, testKills } from './kills/kill-tests.ts';
import { killAtUploadSteps } from './kills/kill-upload-steps.ts';
import { killUploads } from './kills/kill-uploads.ts';
import { loseDatabase } from './outages/database-outage.ts';
import { fillDisk } from './outages/disk-full.ts';
import { fillExportFolder } from './outages/export-folder-full.ts';
import { loseFiles } from './outages/file-store-outage.ts';
import { slowDisk } from './outages/slow-disk.ts';
import { fillTelemetryDisk, loseTelemetryFiles } from './outages/telemetry-outages.ts';
import { fillUploadDisk, loseUploadFiles } from './outages/upload-outages.ts';
import { lookForSecrets } from './secrets.ts';
import { timeRefusals } from './timing.ts';

/**
 * `npm run faults` runs all faults, or the named ones, in their long form. Each prints its result on one line.
 * `mutated-requests-sqlite --seed=1 --only=2` repeats one request of an earlier run, and prints it; `rolling-change
 * --from=COMMIT` sets the earlier version; `cheap-requests --endpoints=^health` measures only matching endpoints.
 */
const faults: Record<string, () => Promise<string>> = {
  'kill-sqlite': () => killUnderLoad({ dialect: 'sqlite', kills: 50 }),
  'kill-postgres': () => killUnderLoad({ dialect: 'postgres', kills: 50 }),
  'kill-ingestion-sqlite': () => killIngestion({ dialect: 'sqlite', kills: 50 }),
  'kill-ingestion-postgres': () => killIngestion({ dialect: 'postgres', kills: 50 }),
  'kill-crashes-sqlite': () => killCrashes({ dialect: 'sqlite', kills: 20 }),
  'kill-crashes-postgres': () => killCrashes({ dialect: 'postgres', kills: 20 }),
  'kill-codepush-sqlite': () => killCodepush({ dialect: 'sqlite', kills: 30 }),
  'kill-codepush-postgres': () => killCodepush({ dialect: 'postgres', kills: 30 }),
  'kill-uploads-sqlite': () => killUploads({ dialect: 'sqlite', kills: 20 }),
  'kill-uploads-postgres': () => killUploads({ dialect: 'postgres', kills: 20 }),
  'kill-builds-sqlite': () => killBuilds({ dialect: 'sqlite', rounds: everyKill }),
  'kill-builds-postgres': () => killBuilds({ dialect: 'postgres', rounds: everyKill }),
  'hostile-builds': () => buildHostile({ logBytes: 10_000_000_000 }),
  'kill-tests-sqlite': () => killTests({ dialect: 'sqlite', rounds: testKills }),
  'kill-tests-postgres': () => killTests({ dialect: 'postgres', rounds: testKills }),
  'kill-upload-steps': async () => `${await killAtUploadSteps('sqlite')}; ${await killAtUploadSteps('postgres')}`,
  'kill-counting-sqlite': () => killCounting({ dialect: 'sqlite', kills: 20 }),
  'kill-counting-postgres': () => killCounting({ dialect: 'postgres', kills: 20 }),
  'kill-steps': async () => `${await killAtSteps('sqlite')}; ${await killAtSteps('postgres')}`,
  'kill-outbound': async () => `${await killOutbound('sqlite')}; ${await killOutbound('postgres')}`,
  'mutated-requests-sqlite': () =>
    sendMutatedRequests({ dialect: 'sqlite', requests: 100_000, round: 2000, judgesMemory: true }),
  'mutated-requests-postgres': () =>
    sendMutatedRequests({ dialect: 'postgres', requests: 100_000, round: 2000, judgesMemory: true }),
  'mutated-logs-sqlite': () => sendMutatedLogs({ dialect: 'sqlite', bodies: 100_000 }),
  'mutated-envelopes-sqlite': () => sendMutatedEnvelopes({ dialect: 'sqlite', envelopes: 100_000 }),
  'mutated-envelopes-postgres': () => sendMutatedEnvelopes({ dialect: 'postgres', envelopes: 100_000 }),
  'mutated-logs-postgres': () => sendMutatedLogs({ dialect: 'postgres', bodies: 100_000 }),
  'cheap-requests': () =>
    sendCheapRequests({
      dialect: 'sqlite',
      only: values.endpoints === undefined ? undefined : new RegExp(values.endpoints),
      onFigures: (line) => process.stdout.write(`${line}\n`),
    }),
  secrets: async () =>
    [
      await lookForSecrets('sqlite', 'stored'),
      await lookForSecrets('sqlite', 'sent'),
      await lookForSecrets('postgres', 'sent'),
    ].join('; '),
  'disk-full': async () => {
    const limited = await fillDisk('limit');
    return process.getuid?.() === 0 ? `${await fillDisk('disk')}; ${limited}` : limited;
  },
  'full-folder': async () => {
    const limited = await fillExportFolder('limit');
    return process.getuid?.() === 0 ? `${await fillExportFolder('disk')}; ${limited}` : limited;
  },
  'slow-disk': async () => {
    const how = { seconds: 30, delayMs: 300 };
    return `${await slowDisk({ dialect: 'sqlite', ...how })}; ${await slowDisk({ dialect: 'postgres', ...how })}`;
  },
  'database-gone': () => loseDatabase(10),
  failover: () => failOver({ writers: 16, changes: 1200 }),
  'rolling-change': () => changeRolling(values.from),
  'files-gone': loseFiles,
  'telemetry-outages': async () =>
    [await loseTelemetryFiles('sqlite', 20), await loseTelemetryFiles('postgres', 20), await fillTelemetryDisk()].join(
      '; ',
    ),
  'upload-outages': async () => `${await fillUploadDisk()}; ${await loseUploadFiles(30)}`,
  'clock-back': setClockBack,
  'clock-steps': async () => `${await stepClock('sqlite')}; ${await stepClock('postgres')}`,
  headers: checkHeaders,
  guessing: async () => `${await guessPasswords('sqlite', 60)}; ${await guessPasswords('postgres', 60)}`,
  timing: () => timeRefusals(3000),
};

const document = path.join(import.meta.dirname, '../../docs/faults.md');
const head = `# Fault tests

See how a real server behaves when it is killed, overloaded or attacked. \`npm run faults\` runs each fault in its long form and stops
at the first wrong result; \`npm test\` runs most of them in a short form. To run one:

\`\`\`
npm run faults -- clock-back
\`\`\`

| fault | last result | date, commit |
|---|---|---|
`;

/** Results of earlier runs, by fault. */
function readFigures(): Map<string, string> {
  const text = existsSync(document) ? readFileSync(document, 'utf8') : '';
  return new Map(
    text.split('\n').flatMap((line) => {
      const name = /^\| `([\w-]+)` \|/.exec(line)?.[1];
      return name ? [[name, line] as const] : [];
    }),
  );
}

const { values, positionals: requested } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    only: { type: 'string' },
    from: { type: 'string', default: 'HEAD~50' },
    endpoints: { type: 'string' },
  },
});
const unknown = requested.filter((name) => !(name in faults));
if (unknown.length > 0) {
  process.stderr.write(`Unknown fault: ${unknown.join(', ')}. Choose from: ${Object.keys(faults).join(', ')}.\n`);
  process.exit(2);
}
if (values.only !== undefined) {
  const dialect = requested[0]?.endsWith('postgres') ? 'postgres' : 'sqlite';
  process.stdout.write(`${await replayMutatedRequest(dialect, Number(values.seed), Number(values.only))}\n`);
  process.exit(0);
}
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
for (const [name, run] of Object.entries(faults)) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  const figure = await run();
  process.stdout.write(`${name}: ${figure}\n`);
  // A run of only some endpoints is not saved.
  if (values.endpoints !== undefined) continue;
  const known = readFigures();
  known.set(name, `| \`${name}\` | ${figure} | ${new Date().toISOString().slice(0, 10)}, ${commit} |`);
  writeFileSync(
    document,
    `${head}${Object.keys(faults)
      .flatMap((each) => known.get(each) ?? [])
      .join('\n')}\n`,
  );
}
