import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from '../../../tools/samples/zips.ts';
import { type BuildFixtures, type Built, filesBelow, listProcesses, withRunner } from '../build-fixtures.ts';
import { withInstallation } from '../installation.ts';

const MIB = 1_048_576;
const PROCESSES = 200;
const MEMORY_MB = 300;
/** The memory limit of the runner for any output of its jobs: Node itself, and data that it has not sent yet. */
const RUNNER_MB = 700;
const ORPHAN = 987_654;

interface Hostile {
  what: string;
  commands(fixtures: BuildFixtures): string[];
  artifacts?: string[];
  judge(built: Built & { log: string[]; stored: string[] }, fixtures: BuildFixtures): void;
}

const readToken = ({ folder }: BuildFixtures): string =>
  JSON.parse(readFileSync(path.join(folder, 'runner.json'), 'utf8')).token;

/** The peak memory, in MiB. */
const getPeakMemory = (pid = 0): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const hostile = (logBytes: number): Hostile[] => [
  {
    what: 'a fork bomb',
    // Forks up to 4,000 processes, so that the machine survives if the system does not stop it.
    commands: () => [
      `bomb() { sleep ${ORPHAN} & if [ $1 -gt 0 ]; then bomb $(($1 - 1)) & bomb $(($1 - 1)) & fi; wait; }; bomb 10`,
    ],
    judge({ result, failure = '' }) {
      assert.equal(result, 'failed');
      assert.match(
        failure,
        new RegExp(`was killed\\. It had \\d+ processes; the limit for a stage is ${PROCESSES}\\.$`),
      );
    },
  },
  {
    what: 'a build that uses up memory',
    commands: () => [`node -e "globalThis.all = Buffer.alloc(${2 * MEMORY_MB}e6, 1); setInterval(() => {}, 1e6)"`],
    judge({ result, failure = '' }) {
      assert.equal(result, 'failed');
      assert.match(failure, new RegExp(`It used \\d+ MiB of memory; the limit for a stage is ${MEMORY_MB} MiB\\.$`));
    },
  },
  {
    what: 'a build that writes outside of its folder, reads other files, and stores links to them',
    commands: ({ folder, server }) => [
      `for place in ${folder} ${server.dataDir} /usr /etc /home / "$HOME/../.."; do touch $place/written || true; done`,
      `cat ${folder}/runner.json "$HOME/../../../runner.json" ${server.dataDir}/* /etc/shadow || true`,
      'cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr "\\0" "\\n" || true',
      'kill -9 -1 || true',
      `(setsid nohup sleep ${ORPHAN} >/dev/null 2>&1 &); echo "left a process behind"`,
      `ln -s ${folder}/runner.json stolen.apk; ln -s ${folder} folder; ln -s / root; mkfifo pipe.apk; echo mine > mine.apk`,
      `ln -s ${folder}/runner.json "$APPCENTER_OUTPUT_DIRECTORY/token.apk"; ln -sfn ${folder} "$HOME/.cache"`,
    ],
    artifacts: ['**/*.apk', '**/runner.json', '../../../runner.json', '/etc/passwd'],
    judge({ result, failure, log, stored }, fixtures) {
      assert.deepEqual([result, stored], ['succeeded', ['mine.apk']], failure ?? log.join('\n'));
      assert.ok(!log.join('\n').includes(readToken(fixtures)), 'the build has read the token of the runner');
      assert.ok(log.includes('left a process behind'));
      for (const folder of [
        fixtures.folder,
        fixtures.server.dataDir,
        '/usr',
        '/etc',
        '/home',
        '/',
        path.join(fixtures.folder, 'jobs'),
      ])
        assert.ok(!readdirSync(folder).includes('written'), `the build has written to ${folder}`);
    },
  },
  {
    what: 'a build that stores more files than fit on the disk',
    commands: () => ['truncate -s 5T huge.apk; touch empty.apk'],
    artifacts: ['*.apk'],
    judge({ result, failure = '', stored }) {
      assert.deepEqual([result, stored], ['failed', []]);
      assert.match(failure, /^Can't store huge\.apk\. The file exceeds the limit of \d+ bytes/);
    },
  },
  {
    what: `logs of ${Math.round(logBytes / MIB)} MiB, with and without line breaks`,
    commands: () => [
      `yes "a line of many" | head -c ${logBytes}; true`,
      `head -c ${logBytes} /dev/zero | tr '\\0' x`,
      'echo "the end"',
    ],
    judge({ result, failure, log }, { runner }) {
      assert.equal(result, 'succeeded', failure ?? '');
      assert.equal(log.at(-1), '## The log is longer than 1 MiB; the rest is dropped.');
      assert.ok(log.join('\n').length < 2 * MIB, 'the stored log exceeds the limit in its last line');
      const peak = getPeakMemory(runner.pid);
      assert.ok(peak < RUNNER_MB, `the runner used ${peak} MiB of memory`);
    },
  },
];

async function listStored({ callApi, server }: BuildFixtures, id: number): Promise<string[]> {
  const { downloads = [] } = await callApi<{ downloads?: string[] }>('GET', `/builds/${id}`);
  if (!downloads.includes('build')) return [];
  const { uri } = await callApi<{ uri: string }>('GET', `/builds/${id}/downloads/build`);
  const zip = await fetch(uri.replace(server.httpsUrl, server.httpUrl));
  return [...filesIn(Buffer.from(await zip.arrayBuffer())).keys()];
}

/**
 * Harmful builds, one after the other on one sandboxed runner: each ends with an explanation, and the next one is
 * built.
 */
export const buildHostile = ({ logBytes }: { logBytes: number }): Promise<string> =>
  withInstallation('sqlite', ({ settings }) => {
    const options = ['--processes', String(PROCESSES), '--memory-mb', String(MEMORY_MB)];
    const env = { MOORING_RUNNER_LOG_LIMIT_MB: '1' };
    return withRunner(settings, { sandbox: 'bubblewrap', options, env }, async (fixtures) => {
      const own = readFileSync(path.join(fixtures.folder, 'runner.json'));
      const builds = hostile(logBytes);
      for (const [at, { what, commands, artifacts, judge }] of builds.entries()) {
        const branch = `hostile-${at}`;
        fixtures.host.push(branch, {});
        const custom = { commands: commands(fixtures), ...(artifacts ? { artifacts } : {}) };
        await fixtures.callApi('POST', `/branches/${branch}/config`, { toolsets: { custom } });
        const { id } = await fixtures.callApi<{ id: number }>('POST', `/branches/${branch}/builds`, {});
        const built = await fixtures.waitForEnd(id);
        judge({ ...built, log: await fixtures.getLog(id), stored: await listStored(fixtures, id) }, fixtures);
        assert.deepEqual(readdirSync(path.join(fixtures.folder, 'jobs')), [], `${what} left a folder`);
        assert.deepEqual(listProcesses(`sleep ${ORPHAN}`), [], `${what} left a process`);
        assert.deepEqual(
          readFileSync(path.join(fixtures.folder, 'runner.json')),
          own,
          `${what} changed the token of the runner`,
        );
        assert.equal(fixtures.runner.exitCode ?? fixtures.runner.signalCode, null, `${what} ended the runner`);
      }
      assert.ok(filesBelow(fixtures.folder).every((file) => path.basename(file) === 'runner.json'));
      return `${builds.map(({ what }) => what).join('; ')}: each ended with a reason, in bubblewrap, and left no process, file or token; the runner continued`;
    });
  });
