import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createToken, send } from '../harness/http.ts';
import { launcher, runMooring } from '../harness/mooring.ts';
import { admin, startServer } from '../harness/server.ts';
import { processesOf, startWire, until } from './build-world.ts';
import { type Dialect, type Installation, withInstallation } from './installation.ts';

const home = `/v0.1/apps/${admin.name}/Tide`;
const victims = ['server', 'runner', 'suite', 'browser', 'network', 'machine'] as const;
/** The test that runs when it happens. */
const moments = ['opens', 'stays'] as const;
/** Long enough for beats and events to be missed, shorter than a lease. */
const CUT = 5000;
type Victim = (typeof victims)[number];
type Moment = (typeof moments)[number];

/** Everything at every moment. */
export const everyKillOfTests = victims.flatMap((victim) => moments.map((moment) => [victim, moment] as const));

/** A suite whose tests need a real browser to stay alive; each lasts long enough to be hit. */
const suite = `
program=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
"$program" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$HOME/$1" about:blank >/dev/null 2>&1 &
browser=$!
for test in opens stays; do
  echo "started: $test (Notes)"
  for i in $(seq 30); do kill -0 $browser 2>/dev/null || break; sleep 0.1; done
  if kill -0 $browser 2>/dev/null; then echo succeeded; else echo failed; isRed=1; fi
  echo finished
done
kill $browser 2>/dev/null
exit \${isRed:-0}
`;

interface Results {
  run: { runStatus: string; resultStatus: string };
  tests: { test: string; outcomes: { status: string }[] }[];
}

/** What must be true of a run after something was broken. */
function judge(victim: Victim, moment: Moment, { run, tests }: Results, exitCode: unknown): void {
  const statuses = Object.fromEntries(tests.map(({ test, outcomes }) => [test, outcomes.map(({ status }) => status)]));
  const where = `${victim} at ${moment}: ${JSON.stringify([run, statuses])}`;
  if (victim === 'server' || victim === 'runner' || victim === 'network') {
    assert.deepEqual([run.resultStatus, exitCode], ['passed', 0], where);
    assert.deepEqual(statuses, { opens: ['passed'], stays: ['passed'] }, where);
    return;
  }
  assert.deepEqual(statuses[moment], ['failed'], where);
  assert.deepEqual(statuses.opens, [moment === 'opens' ? 'failed' : 'passed'], where);
  if (victim === 'machine') assert.deepEqual([run.resultStatus, exitCode], ['error', 2], where);
  assert.ok(run.resultStatus === 'failed' ? exitCode === 1 : exitCode === 2, where);
  assert.notEqual(run.resultStatus, 'passed', where);
}

async function breakTests({ settings }: Installation, rounds: readonly (readonly [Victim, Moment])[]): Promise<string> {
  const start = () => startServer({ ...settings, env: { ...settings.env, MOORING_RATE_LIMIT: '0' } });
  let server = await start();
  // The same address after a restart, as a runner knows no other.
  const { port } = new URL(server.httpUrl);
  const startAgain = () =>
    startServer({ ...settings, env: { ...settings.env, MOORING_RATE_LIMIT: '0', MOORING_HTTP_PORT: port } });
  const wire = await startWire(() => Number(port));
  const token = (await createToken(server)).api_token;
  const ask = async <T>(method: string, rest: string, body?: object): Promise<T> => {
    const answer = await send(method, `${server.httpUrl}${home}${rest}`, { token, ...(body ? { body } : {}) });
    assert.ok(answer.status < 300, `${method} ${rest}: ${answer.status} ${answer.text}`);
    return answer.json<T>();
  };
  const folder = path.join(settings.dataDir, 'runner');
  const env = {
    MOORING_CONFIG_DIR: path.join(settings.dataDir, 'config'),
    MOORING_RUNNER_DIR: folder,
    MOORING_SERVER: server.httpUrl,
    MOORING_TOKEN: token,
  };
  const startRunner = (): ChildProcess =>
    spawn(process.execPath, [launcher, 'runner', 'start', '--sandbox', 'host', '--reserve-mb', '1'], {
      env: { PATH: process.env.PATH, ...env },
      stdio: 'ignore',
    });
  let runner: ChildProcess | undefined;
  try {
    const app = { name: 'Tide', display_name: 'Tide', os: 'Android', platform: 'Java' };
    await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app });
    const { code } = await ask<{ code: string }>('POST', '/runners/codes', {});
    const registered = await runMooring(['runner', 'register', wire.url, '--code', code, '--name', 'box'], env);
    assert.equal(registered.code, 0, registered.stderr);
    runner = startRunner();
    const files = path.join(settings.dataDir, 'suite');
    mkdirSync(files);
    writeFileSync(path.join(files, 'suite.sh'), suite);
    for (const [at, [victim, moment]] of rounds.entries()) {
      const mark = `fault-of-tests-${process.pid}-${at}`;
      await until('A device of the runner', async () => {
        const found = await ask<{ isOnline: boolean }[]>('GET', '/device_configurations');
        return found.some(({ isOnline }) => isOnline) || undefined;
      });
      const words = ['tests', 'run', `${admin.name}/Tide`, files, `command=bash suite.sh ${mark}`];
      const started = await runMooring([...words, '--framework', 'command', '--async', '--json'], env);
      assert.equal(started.code, 0, started.stdout + started.stderr);
      const { id } = JSON.parse(started.stdout) as { id: string };
      const read = () => ask<Results>('GET', `/test_runs/${id}/results`);
      await until(`${moment} of run ${id}`, async () => {
        const { tests } = await read();
        return tests.some(({ test }) => test === moment) || undefined;
      });
      if (victim === 'server') {
        server.process.kill('SIGKILL');
        await once(server.process, 'exit');
        server = await startAgain();
      } else if (victim === 'runner') {
        runner.kill('SIGKILL');
        await once(runner, 'exit');
        runner = startRunner();
      } else if (victim === 'machine') {
        // With all that it does, and it never comes back.
        runner.kill('SIGKILL');
        await once(runner, 'exit');
        for (const pid of processesOf(`.*${mark}`)) process.kill(pid, 'SIGKILL');
      } else if (victim === 'network') await wire.cut(CUT);
      else {
        const which = victim === 'suite' ? `bash suite.sh ${mark}` : `[^ ]*chrom[^ ]* .*${mark}`;
        const pids = processesOf(which);
        assert.ok(pids.length > 0, `${victim} is there to be killed`);
        for (const pid of pids) process.kill(pid, 'SIGKILL');
      }
      const results = await until(`The end of run ${id}`, async () => {
        const now = await read();
        return now.run.runStatus === 'finished' ? now : undefined;
      });
      const { exit_code } = await ask<{ exit_code: number }>('GET', `/test_runs/${id}/state`);
      judge(victim, moment, results, exit_code);
      if (victim === 'machine') runner = startRunner();
      await until('The end of all processes', async () => processesOf(`.*${mark}`).length === 0 || undefined);
      await until('An empty folder', async () => readdirSync(path.join(folder, 'jobs')).length === 0 || undefined);
    }
  } finally {
    runner?.kill('SIGTERM');
    wire.close();
    await server.stop({ keepData: true });
  }
  return `${rounds.length} test runs on an emulated phone, in each of which something (${[...new Set(rounds.map(([victim]) => victim))].join(', ')}) was killed: each ended with the truth, and no process and no folder was left`;
}

/** Kills a part of it in the middle of test runs, again and again; needs Chromium. */
export const killTests = ({
  dialect,
  rounds,
}: {
  dialect: Dialect;
  rounds: readonly (readonly [Victim, Moment])[];
}): Promise<string> => withInstallation(dialect, (installation) => breakTests(installation, rounds));
