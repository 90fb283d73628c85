import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type BuildFixtures,
  type Built,
  canContain,
  filesBelow,
  listProcesses,
  until,
  withRunner,
} from '../build-fixtures.ts';
import { type Dialect, type Installation, withInstallation } from '../installation.ts';

const LINES = 300;
const SECRET = 'correct-horse-of-builds';

/** The component that fails, and the log line after it. */
const victims = ['server', 'runner', 'stage', 'sandbox', 'network'] as const;
const moments = ['== Sources', 'one 1', 'two 1', '== Files'] as const;
type Victim = (typeof victims)[number];
type Moment = (typeof moments)[number];

/** A stage that leaves a process behind, and waits long enough to be killed. */
const stage = (name: string, mark: number, seconds: number) =>
  `(setsid sleep ${mark} >/dev/null 2>&1 &) ; for i in $(seq ${LINES}); do echo "${name} $i"; done; echo "$KEY"; sleep ${seconds}; true`;

/** The output of one stage in the last attempt. */
const listNumbers = (log: readonly string[], name: string): number[] =>
  log.flatMap((line) => (line.startsWith(`${name} `) ? [Number(line.slice(name.length + 1))] : []));

const all = Array.from({ length: LINES }, (_, at) => at + 1);

/** Checks the result of a build after a fault. */
function judge(victim: Victim, build: Built & { wasOver: boolean }, log: readonly string[]): void {
  if (victim === 'stage' || victim === 'sandbox') {
    assert.equal(build.result, 'failed');
    assert.match(build.failure ?? '', /failed with exit code|was killed|could not be/);
    assert.ok(log.includes('it Failed'), 'the post-build script has not run');
    return;
  }
  assert.equal(build.result, 'succeeded', build.failure ?? '');
  const returned = log.findLastIndex((line) => line.startsWith('## The runner'));
  assert.equal(
    returned >= 0,
    victim === 'runner' && !build.wasOver,
    'a job must be returned exactly if its runner was killed before the end',
  );
  const last = log.slice(returned + 1);
  for (const name of ['one', 'two'])
    assert.deepEqual(listNumbers(last, name), all, `the log has not all lines of the stage ${name}`);
}

/** Injects faults in the middle of builds: each build ends as expected, and nothing is left behind. */
export async function killBuilds({
  dialect,
  rounds,
}: {
  dialect: Dialect;
  rounds: readonly (readonly [Victim, Moment])[];
}): Promise<string> {
  // Without a sandbox, only the runner kills processes that left its group.
  const [inside, outside] = [
    rounds.filter(([victim]) => victim === 'sandbox'),
    rounds.filter(([victim]) => victim !== 'sandbox'),
  ];
  return withInstallation(dialect, async (installation) => {
    const seen = await breakBuilds(installation, 'host', outside);
    if (inside.length === 0 || !canContain()) return seen;
    return `${seen}; in bubblewrap ${await breakBuilds(installation, 'bubblewrap', inside)}`;
  });
}

/** All faults at all moments. */
export const everyKill = victims.flatMap((victim) =>
  // A runner has no stage while it fetches the sources or uploads files.
  (victim === 'stage' || victim === 'sandbox' ? (['one 1', 'two 1'] as const) : moments).map(
    (moment) => [victim, moment] as const,
  ),
);

const breakBuilds = (
  { settings }: Installation,
  sandbox: 'bubblewrap' | 'host',
  rounds: readonly (readonly [Victim, Moment])[],
): Promise<string> =>
  withRunner(settings, { sandbox }, async (fixtures) => {
    fixtures.host.push('main', {
      'appcenter-post-build.sh':
        'echo "it $AGENT_JOBSTATUS"; head -c 40000000 /dev/urandom > "$APPCENTER_OUTPUT_DIRECTORY/tide.apk"',
    });
    for (const [at, [victim, moment]] of rounds.entries()) {
      await breakOnce(fixtures, { victim, moment, at });
      assert.deepEqual(readdirSync(path.join(fixtures.folder, 'jobs')), [], 'a folder of a job remains');
      const leaky = filesBelow(fixtures.folder).filter((file) => readFileSync(file).includes(SECRET));
      assert.deepEqual(leaky, [], 'a secret remains on the disk');
    }
    return `${rounds.length} builds with one failure each (${[...new Set(rounds.map(([victim]) => victim))].join(', ')}): each ended, no acknowledged line was lost, no process and no secret remained`;
  });

/** Runs one build with its fault. */
async function breakOnce(
  fixtures: BuildFixtures,
  { victim, moment, at }: { victim: Victim; moment: Moment; at: number },
): Promise<void> {
  const marks = [900_000 + at * 2, 900_001 + at * 2] as const;
  const branch = `main-${at}`;
  const isStage = victim === 'stage' || victim === 'sandbox';
  // Ensures that a stage is still running when it is killed.
  const waits = (line: Moment) => (isStage && line === moment ? 60 : 1);
  fixtures.host.push(branch, {});
  await fixtures.callApi('POST', `/branches/${branch}/config`, {
    toolsets: {
      custom: { commands: [stage('one', marks[0], waits('one 1')), stage('two', marks[1], waits('two 1'))] },
    },
    environmentVariables: [{ name: 'KEY', value: SECRET, isSecret: true }],
  });
  const { id } = await fixtures.callApi<{ id: number }>('POST', `/branches/${branch}/builds`, {});
  const seen = await until(`the line "${moment}" of build ${id}`, async () => {
    const log = await fixtures.getLog(id);
    return log.includes(moment) ? log : undefined;
  });
  let wasOver = false;
  if (victim === 'server') {
    fixtures.server.process.kill('SIGKILL');
    await once(fixtures.server.process, 'exit');
    await fixtures.startServer();
  } else if (victim === 'runner') {
    fixtures.runner.kill('SIGKILL');
    await once(fixtures.runner, 'exit');
    // A fast stage may have reported its end just before.
    wasOver = (await fixtures.callApi<Built>('GET', `/builds/${id}`)).status === 'completed';
    fixtures.startRunner();
  } else if (isStage) {
    const mark = moment === 'one 1' ? marks[0] : marks[1];
    const before = victim === 'sandbox' ? '[^ ]*bwrap --args 3 -- ' : '';
    const pids = listProcesses(`${before}bash -e -c .*sleep ${mark}`);
    assert.ok(pids.length > 0, `Found no process to kill: ${victim} at ${moment}`);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  } else {
    await fixtures.wire.cut(3000);
  }
  const build = await fixtures.waitForEnd(id);
  const log = await fixtures.getLog(id);
  assert.deepEqual(log.slice(0, seen.length), seen, 'an acknowledged log line is missing');
  assert.ok(!log.some((line) => line.includes(SECRET)), 'the log has a secret');
  judge(victim, { ...build, wasOver }, log);
  for (const mark of marks)
    assert.deepEqual(listProcesses(`sleep ${mark}`), [], `A process remains: ${victim} at ${moment}`);
}
