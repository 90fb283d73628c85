import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { failOver } from '../cluster/failover.ts';
import { changeRolling } from '../cluster/rolling-change.ts';
import { sendCheapRequests } from './cheap-requests.ts';
import { setClockBack } from './clock-back.ts';
import { loseDatabase } from './database-gone.ts';
import { fillDisk } from './disk-full.ts';
import { loseFiles } from './files-gone.ts';
import { fillExportFolder } from './full-folder.ts';
import { guessPasswords } from './guessing.ts';
import { checkHeaders } from './headers.ts';
import { buildHostile } from './hostile-builds.ts';
import { killUnderLoad } from './kill.ts';
import { everyKill, killBuilds } from './kill-builds.ts';
import { killCodepush } from './kill-codepush.ts';
import { killCounting } from './kill-counting.ts';
import { killCrashes } from './kill-crashes.ts';
import { killIngestion } from './kill-ingestion.ts';
import { killLeaving } from './kill-leaving.ts';
import { killAtSteps, stepClock } from './kill-steps.ts';
import { everyKillOfTests, killTests } from './kill-tests.ts';
import { killAtUploadSteps } from './kill-upload-steps.ts';
import { killUploads } from './kill-uploads.ts';
import { sendMutatedLogs } from './mutated-logs.ts';
import { replayMutatedRequest, sendMutatedRequests } from './mutated-requests.ts';
import { lookForSecrets } from './secrets.ts';
import { slowDisk } from './slow-disk.ts';
import { fillDiskOfTelemetry, loseFilesOfTelemetry } from './telemetry-outages.ts';
import { timeRefusals } from './timing.ts';
import { fillDiskOfUploads, loseFilesOfUploads } from './upload-outages.ts';

/**
 * `npm run faults`: every fault in its long form, or those that are named. Each says in a line what was seen.
 * `mutated-requests-sqlite --seed=1 --only=2` makes one request of an earlier run again, and shows it; `rolling-change
 * --from=COMMIT` says which version is the earlier one; `cheap-requests --endpoints=^health` measures a part of the endpoints.
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
  'kill-tests-sqlite': () => killTests({ dialect: 'sqlite', rounds: everyKillOfTests }),
  'kill-tests-postgres': () => killTests({ dialect: 'postgres', rounds: everyKillOfTests }),
  'kill-upload-steps': async () => `${await killAtUploadSteps('sqlite')}; ${await killAtUploadSteps('postgres')}`,
  'kill-counting-sqlite': () => killCounting({ dialect: 'sqlite', kills: 20 }),
  'kill-counting-postgres': () => killCounting({ dialect: 'postgres', kills: 20 }),
  'kill-steps': async () => `${await killAtSteps('sqlite')}; ${await killAtSteps('postgres')}`,
  'kill-leaving': async () => `${await killLeaving('sqlite')}; ${await killLeaving('postgres')}`,
  'mutated-requests-sqlite': () =>
    sendMutatedRequests({ dialect: 'sqlite', requests: 100_000, round: 2000, judgesMemory: true }),
  'mutated-requests-postgres': () =>
    sendMutatedRequests({ dialect: 'postgres', requests: 100_000, round: 2000, judgesMemory: true }),
  'mutated-logs-sqlite': () => sendMutatedLogs({ dialect: 'sqlite', bodies: 100_000 }),
  'mutated-logs-postgres': () => sendMutatedLogs({ dialect: 'postgres', bodies: 100_000 }),
  'cheap-requests': () =>
    sendCheapRequests({
      dialect: 'sqlite',
      only: values.endpoints === undefined ? undefined : new RegExp(values.endpoints),
      onFigures: (line) => process.stdout.write(`${line}\n`),
    }),
  secrets: async () =>
    [
      await lookForSecrets('sqlite', 'kept'),
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
    [
      await loseFilesOfTelemetry('sqlite', 20),
      await loseFilesOfTelemetry('postgres', 20),
      await fillDiskOfTelemetry(),
    ].join('; '),
  'upload-outages': async () => `${await fillDiskOfUploads()}; ${await loseFilesOfUploads(30)}`,
  'clock-back': setClockBack,
  'clock-steps': async () => `${await stepClock('sqlite')}; ${await stepClock('postgres')}`,
  headers: checkHeaders,
  guessing: async () => `${await guessPasswords('sqlite', 60)}; ${await guessPasswords('postgres', 60)}`,
  timing: () => timeRefusals(3000),
};

const document = path.join(import.meta.dirname, '../../docs/faults.md');
const head = `# Faults

What happens to this server when something breaks, or somebody tries to break it. Written by \`npm run faults\`, which does
each of these for real and stops at the first answer that is wrong; \`npm test\` does most of them in a short form.

| fault | last seen | when |
|---|---|---|
`;

/** What earlier runs have seen, by fault. */
function readFigures(): Map<string, string> {
  const text = existsSync(document) ? readFileSync(document, 'utf8') : '';
  return new Map(
    text.split('\n').flatMap((line) => {
      const name = /^\| `([\w-]+)` \|/.exec(line)?.[1];
      return name ? [[name, line] as const] : [];
    }),
  );
}

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    only: { type: 'string' },
    from: { type: 'string', default: 'HEAD~50' },
    endpoints: { type: 'string' },
  },
});
const unknown = wanted.filter((name) => !(name in faults));
if (unknown.length > 0) {
  process.stderr.write(`No fault is called ${unknown.join(', ')}; choose among ${Object.keys(faults).join(', ')}.\n`);
  process.exit(2);
}
if (values.only !== undefined) {
  const dialect = wanted[0]?.endsWith('postgres') ? 'postgres' : 'sqlite';
  process.stdout.write(`${await replayMutatedRequest(dialect, Number(values.seed), Number(values.only))}\n`);
  process.exit(0);
}
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
for (const [name, run] of Object.entries(faults)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const figure = await run();
  process.stdout.write(`${name}: ${figure}\n`);
  // Figures of some endpoints are not those of the fault.
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
