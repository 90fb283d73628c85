import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildWorld, type Built, canContain, filesBelow, processesOf, until, withRunner } from './build-world.ts';
import { type Dialect, type Installation, withInstallation } from './installation.ts';

const LINES = 300;
const SECRET = 'correct-horse-of-builds';

/** What is broken, and when: as soon as the log has this line. */
const victims = ['server', 'runner', 'stage', 'sandbox', 'network'] as const;
const moments = ['== Sources', 'one 1', 'two 1', '== Files'] as const;
type Victim = (typeof victims)[number];
type Moment = (typeof moments)[number];

/** A stage that leaves somebody behind, and waits long enough to be hit. */
const stage = (name: string, mark: number, seconds: number) =>
  `(setsid sleep ${mark} >/dev/null 2>&1 &) ; for i in $(seq ${LINES}); do echo "${name} $i"; done; echo "$KEY"; sleep ${seconds}; true`;

/** What one stage has printed, in the last attempt. */
const numbersOf = (log: readonly string[], name: string): number[] =>
  log.flatMap((line) => (line.startsWith(`${name} `) ? [Number(line.slice(name.length + 1))] : []));

const all = Array.from({ length: LINES }, (_, at) => at + 1);

/** What must be true of a build after something was broken. */
function judge(victim: Victim, build: Built & { wasOver: boolean }, log: readonly string[]): void {
  if (victim === 'stage' || victim === 'sandbox') {
    assert.equal(build.result, 'failed');
    assert.match(build.failure ?? '', /failed with exit code|was ended|could not be/);
    assert.ok(log.includes('it Failed'), 'the last script has run');
    return;
  }
  assert.equal(build.result, 'succeeded', build.failure ?? '');
  const returned = log.findLastIndex((line) => line.startsWith('## The runner'));
  assert.equal(
    returned >= 0,
    victim === 'runner' && !build.wasOver,
    'only a runner that was killed in the middle gives its job back',
  );
  const last = log.slice(returned + 1);
  for (const name of ['one', 'two']) assert.deepEqual(numbersOf(last, name), all, `lines of ${name}`);
}

/** Breaks a part of it in the middle of builds, again and again: each ends as it should, and nothing is left behind. */
export async function killBuilds({
  dialect,
  rounds,
}: {
  dialect: Dialect;
  rounds: readonly (readonly [Victim, Moment])[];
}): Promise<string> {
  // On the plain host nothing but the runner itself ends what left its group.
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

/** Everything at every moment. */
export const everyKill = victims.flatMap((victim) =>
  // A runner has no stage yet while it fetches the sources, and none any more when it sends files.
  (victim === 'stage' || victim === 'sandbox' ? (['one 1', 'two 1'] as const) : moments).map(
    (moment) => [victim, moment] as const,
  ),
);

const breakBuilds = (
  { settings }: Installation,
  sandbox: 'bubblewrap' | 'host',
  rounds: readonly (readonly [Victim, Moment])[],
): Promise<string> =>
  withRunner(settings, { sandbox }, async (world) => {
    world.host.push('main', {
      'appcenter-post-build.sh':
        'echo "it $AGENT_JOBSTATUS"; head -c 40000000 /dev/urandom > "$APPCENTER_OUTPUT_DIRECTORY/tide.apk"',
    });
    for (const [at, [victim, moment]] of rounds.entries()) {
      await breakOnce(world, { victim, moment, at });
      assert.deepEqual(readdirSync(path.join(world.folder, 'jobs')), [], 'folders of jobs are gone');
      const leaky = filesBelow(world.folder).filter((file) => readFileSync(file).includes(SECRET));
      assert.deepEqual(leaky, [], 'no secret is left on the disk');
    }
    return `${rounds.length} builds, in each of which something (${[...new Set(rounds.map(([victim]) => victim))].join(', ')}) was broken: each ended, no acknowledged line was lost, no process and no secret was left`;
  });

/** One build, and what is broken in it. */
async function breakOnce(
  world: BuildWorld,
  { victim, moment, at }: { victim: Victim; moment: Moment; at: number },
): Promise<void> {
  const marks = [900_000 + at * 2, 900_001 + at * 2] as const;
  const branch = `main-${at}`;
  const isStage = victim === 'stage' || victim === 'sandbox';
  // A stage that is to be killed is still there when that happens.
  const waits = (line: Moment) => (isStage && line === moment ? 60 : 1);
  world.host.push(branch, {});
  await world.ask('POST', `/branches/${branch}/config`, {
    toolsets: {
      custom: { commands: [stage('one', marks[0], waits('one 1')), stage('two', marks[1], waits('two 1'))] },
    },
    environmentVariables: [{ name: 'KEY', value: SECRET, isSecret: true }],
  });
  const { id } = await world.ask<{ id: number }>('POST', `/branches/${branch}/builds`, {});
  const seen = await until(`${moment} of build ${id}`, async () => {
    const log = await world.logOf(id);
    return log.includes(moment) ? log : undefined;
  });
  let wasOver = false;
  if (victim === 'server') {
    world.server.process.kill('SIGKILL');
    await once(world.server.process, 'exit');
    await world.startServer();
  } else if (victim === 'runner') {
    world.runner.kill('SIGKILL');
    await once(world.runner, 'exit');
    // A fast one may have told of the end just before.
    wasOver = (await world.ask<Built>('GET', `/builds/${id}`)).status === 'completed';
    world.startRunner();
  } else if (isStage) {
    const mark = moment === 'one 1' ? marks[0] : marks[1];
    const before = victim === 'sandbox' ? '[^ ]*bwrap --args 3 -- ' : '';
    const pids = processesOf(`${before}bash -e -c .*sleep ${mark}`);
    assert.ok(pids.length > 0, `${victim} at ${moment}`);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  } else {
    await world.wire.cut(3000);
  }
  const build = await world.endOf(id);
  const log = await world.logOf(id);
  assert.deepEqual(log.slice(0, seen.length), seen, 'what was acknowledged is still there');
  assert.ok(!log.some((line) => line.includes(SECRET)), 'no secret is in the log');
  judge(victim, { ...build, wasOver }, log);
  for (const mark of marks) assert.deepEqual(processesOf(`sleep ${mark}`), [], `${victim} at ${moment}`);
}
