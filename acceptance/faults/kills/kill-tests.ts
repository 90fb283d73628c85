import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createToken, send } from '../../harness/http.ts';
import { launcher, runMooring } from '../../harness/mooring.ts';
import { admin, startServer } from '../../harness/server.ts';
import { listProcesses, startWire, until } from '../build-fixtures.ts';
import { type Dialect, type Installation, withInstallation } from '../installation.ts';

const home = `/v0.1/apps/${admin.name}/Tide`;
const victims = ['server', 'runner', 'suite', 'browser', 'network', 'machine'] as const;
/** The test that runs during the fault. */
const moments = ['opens', 'stays'] as const;
/** Long enough to miss heartbeats and events, shorter than a lease. */
const CUT = 5000;
type Victim = (typeof victims)[number];
type Moment = (typeof moments)[number];

/** All faults at all moments. */
export const testKills = victims.flatMap((victim) => moments.map((moment) => [victim, moment] as const));

/** A suite whose tests need a running browser, each long enough to be interrupted. */
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

/** Checks the result of a run after a fault. */
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
  // The same URL after a restart, because a runner knows no other.
  const { port } = new URL(server.httpUrl);
  const startAgain = () =>
    startServer({ ...settings, env: { ...settings.env, MOORING_RATE_LIMIT: '0', MOORING_HTTP_PORT: port } });
  const wire = await startWire(() => Number(port));
  const token = (await createToken(server)).api_token;
  const request = async <T>(method: string, rest: string, body?: object): Promise<T> => {
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
    const { code } = await request<{ code: string }>('POST', '/runners/codes', {});
    const registered = await runMooring(['runner', 'register', wire.url, '--code', code, '--name', 'box'], env);
    assert.equal(registered.code, 0, registered.stderr);
    runner = startRunner();
    const files = path.join(settings.dataDir, 'suite');
    mkdirSync(files);
    writeFileSync(path.join(files, 'suite.sh'), suite);
    for (const [at, [victim, moment]] of rounds.entries()) {
      const mark = `fault-of-tests-${process.pid}-${at}`;
      await until('an online device', async () => {
        const found = await request<{ isOnline: boolean }[]>('GET', '/device_configurations');
        return found.some(({ isOnline }) => isOnline) || undefined;
      });
      const args = ['tests', 'run', `${admin.name}/Tide`, files, `command=bash suite.sh ${mark}`];
      const started = await runMooring([...args, '--framework', 'command', '--async', '--json'], env);
      assert.equal(started.code, 0, started.stdout + started.stderr);
      const { id } = JSON.parse(started.stdout) as { id: string };
      const read = () => request<Results>('GET', `/test_runs/${id}/results`);
      await until(`the test ${moment} of run ${id} to start`, async () => {
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
        // Kills the runner with all its processes, permanently.
        runner.kill('SIGKILL');
        await once(runner, 'exit');
        for (const pid of listProcesses(`.*${mark}`)) process.kill(pid, 'SIGKILL');
      } else if (victim === 'network') await wire.cut(CUT);
      else {
        const which = victim === 'suite' ? `bash suite.sh ${mark}` : `[^ ]*chrom[^ ]* .*${mark}`;
        const pids = listProcesses(which);
        assert.ok(pids.length > 0, `Found no process to kill: ${victim}`);
        for (const pid of pids) process.kill(pid, 'SIGKILL');
      }
      const results = await until(`run ${id} to finish`, async () => {
        const now = await read();
        return now.run.runStatus === 'finished' ? now : undefined;
      });
      const { exit_code } = await request<{ exit_code: number }>('GET', `/test_runs/${id}/state`);
      judge(victim, moment, results, exit_code);
      if (victim === 'machine') runner = startRunner();
      await until('all processes to exit', async () => listProcesses(`.*${mark}`).length === 0 || undefined);
      await until(
        'an empty folder of jobs',
        async () => readdirSync(path.join(folder, 'jobs')).length === 0 || undefined,
      );
    }
  } finally {
    runner?.kill('SIGTERM');
    wire.close();
    await server.stop({ keepData: true });
  }
  return `${rounds.length} test runs on an emulated browser, with one component killed in each (${[...new Set(rounds.map(([victim]) => victim))].join(', ')}): each ended with the correct result, and no process and no folder remained`;
}

/** Injects faults in the middle of test runs, repeatedly; needs Chromium. */
export const killTests = ({
  dialect,
  rounds,
}: {
  dialect: Dialect;
  rounds: readonly (readonly [Victim, Moment])[];
}): Promise<string> => withInstallation(dialect, (installation) => breakTests(installation, rounds));
