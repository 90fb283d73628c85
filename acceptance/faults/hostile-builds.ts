import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from '../../tools/zips.ts';
import { type BuildWorld, type Built, filesBelow, processesOf, withRunner } from './build-world.ts';
import { withInstallation } from './installation.ts';

const MIB = 1_048_576;
const PROCESSES = 200;
const MEMORY_MB = 300;
/** Of the runner, whatever its jobs print: Node itself, and what waits to be sent. */
const RUNNER_MB = 700;
const ORPHAN = 987_654;

interface Hostile {
  what: string;
  commands(world: BuildWorld): string[];
  artifacts?: string[];
  judge(built: Built & { log: string[]; kept: string[] }, world: BuildWorld): void;
}

const tokenOf = ({ folder }: BuildWorld): string =>
  JSON.parse(readFileSync(path.join(folder, 'runner.json'), 'utf8')).token;

/** What has been used at most, in MiB. */
const peakOf = (pid = 0): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const hostile = (logBytes: number): Hostile[] => [
  {
    what: 'a fork bomb',
    // Doubles until there are four thousand: where the system holds nobody, the machine is there afterwards.
    commands: () => [
      `bomb() { sleep ${ORPHAN} & if [ $1 -gt 0 ]; then bomb $(($1 - 1)) & bomb $(($1 - 1)) & fi; wait; }; bomb 10`,
    ],
    judge({ result, failure = '' }) {
      assert.equal(result, 'failed');
      assert.match(failure, new RegExp(`was ended\\. It had \\d+ processes; a stage may have ${PROCESSES}\\.$`));
    },
  },
  {
    what: 'one that eats memory',
    commands: () => [`node -e "globalThis.all = Buffer.alloc(${2 * MEMORY_MB}e6, 1); setInterval(() => {}, 1e6)"`],
    judge({ result, failure = '' }) {
      assert.equal(result, 'failed');
      assert.match(failure, new RegExp(`It used \\d+ MiB of memory; a stage may use ${MEMORY_MB} MiB\\.$`));
    },
  },
  {
    what: 'one that writes outside, reads what is not its own, and has links to it kept',
    commands: ({ folder, server }) => [
      `for place in ${folder} ${server.dataDir} /usr /etc /home / "$HOME/../.."; do touch $place/written || true; done`,
      `cat ${folder}/runner.json "$HOME/../../../runner.json" ${server.dataDir}/* /etc/shadow || true`,
      'cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr "\\0" "\\n" || true',
      'kill -9 -1 || true',
      `(setsid nohup sleep ${ORPHAN} >/dev/null 2>&1 &); echo "left somebody behind"`,
      `ln -s ${folder}/runner.json stolen.apk; ln -s ${folder} folder; ln -s / root; mkfifo pipe.apk; echo mine > mine.apk`,
      `ln -s ${folder}/runner.json "$APPCENTER_OUTPUT_DIRECTORY/token.apk"; ln -sfn ${folder} "$HOME/.cache"`,
    ],
    artifacts: ['**/*.apk', '**/runner.json', '../../../runner.json', '/etc/passwd'],
    judge({ result, failure, log, kept }, world) {
      assert.deepEqual([result, kept], ['succeeded', ['mine.apk']], failure ?? log.join('\n'));
      assert.ok(!log.join('\n').includes(tokenOf(world)), 'the token of the runner is read by nobody');
      assert.ok(log.includes('left somebody behind'));
      for (const folder of [
        world.folder,
        world.server.dataDir,
        '/usr',
        '/etc',
        '/home',
        '/',
        path.join(world.folder, 'jobs'),
      ])
        assert.ok(!readdirSync(folder).includes('written'), `nothing is written to ${folder}`);
    },
  },
  {
    what: 'one that keeps more than there is room for',
    commands: () => ['truncate -s 5T huge.apk; touch empty.apk'],
    artifacts: ['*.apk'],
    judge({ result, failure = '', kept }) {
      assert.deepEqual([result, kept], ['failed', []]);
      assert.match(failure, /^huge\.apk cannot be kept\. The file is larger than \d+ bytes/);
    },
  },
  {
    what: `logs of ${Math.round(logBytes / MIB)} MiB, in lines and without any`,
    commands: () => [
      `yes "a line of many" | head -c ${logBytes}; true`,
      `head -c ${logBytes} /dev/zero | tr '\\0' x`,
      'echo "the end"',
    ],
    judge({ result, failure, log }, { runner }) {
      assert.equal(result, 'succeeded', failure ?? '');
      assert.equal(log.at(-1), '## The log is longer than 1 MiB; the rest is not kept.');
      assert.ok(log.join('\n').length < 2 * MIB, 'no more is kept than was said');
      const peak = peakOf(runner.pid);
      assert.ok(peak < RUNNER_MB, `the runner used ${peak} MiB`);
    },
  },
];

async function keptOf({ ask, server }: BuildWorld, id: number): Promise<string[]> {
  const { downloads = [] } = await ask<{ downloads?: string[] }>('GET', `/builds/${id}`);
  if (!downloads.includes('build')) return [];
  const { uri } = await ask<{ uri: string }>('GET', `/builds/${id}/downloads/build`);
  const zip = await fetch(uri.replace(server.httpsUrl, server.httpUrl));
  return [...filesIn(Buffer.from(await zip.arrayBuffer())).keys()];
}

/** Builds that want to do harm, one after the other on one runner with its sandbox: each ends in words, and the next is built. */
export const buildHostile = ({ logBytes }: { logBytes: number }): Promise<string> =>
  withInstallation('sqlite', ({ settings }) => {
    const options = ['--processes', String(PROCESSES), '--memory-mb', String(MEMORY_MB)];
    const env = { MOORING_RUNNER_LOG_LIMIT_MB: '1' };
    return withRunner(settings, { sandbox: 'bubblewrap', options, env }, async (world) => {
      const own = readFileSync(path.join(world.folder, 'runner.json'));
      const builds = hostile(logBytes);
      for (const [at, { what, commands, artifacts, judge }] of builds.entries()) {
        const branch = `hostile-${at}`;
        world.host.push(branch, {});
        const custom = { commands: commands(world), ...(artifacts ? { artifacts } : {}) };
        await world.ask('POST', `/branches/${branch}/config`, { toolsets: { custom } });
        const { id } = await world.ask<{ id: number }>('POST', `/branches/${branch}/builds`, {});
        const built = await world.endOf(id);
        judge({ ...built, log: await world.logOf(id), kept: await keptOf(world, id) }, world);
        assert.deepEqual(readdirSync(path.join(world.folder, 'jobs')), [], `${what} leaves no folder`);
        assert.deepEqual(processesOf(`sleep ${ORPHAN}`), [], `${what} leaves no process`);
        assert.deepEqual(readFileSync(path.join(world.folder, 'runner.json')), own, `${what} changes no token`);
        assert.equal(world.runner.exitCode ?? world.runner.signalCode, null, `${what} does not end the runner`);
      }
      assert.ok(filesBelow(world.folder).every((file) => path.basename(file) === 'runner.json'));
      return `${builds.map(({ what }) => what).join('; ')}: each ended in words, in bubblewrap, and left no process, no file and no token; the runner went on`;
    });
  });
