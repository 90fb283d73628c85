import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGitHost } from '../../tools/git-host.ts';
import { createToken, send } from '../harness/http.ts';
import { launcher, runMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';
import { type Dialect, type Installation, withInstallation } from './installation.ts';

const home = `/v0.1/apps/${admin.name}/Tide`;
const LINES = 300;
const SECRET = 'correct-horse-of-builds';
const ENDS_WITHIN = 120_000;

/** What is broken, and when: as soon as the log has this line. */
const victims = ['server', 'runner', 'stage', 'network'] as const;
const moments = ['== Sources', 'one 1', 'two 1', '== Files'] as const;
type Victim = (typeof victims)[number];
type Moment = (typeof moments)[number];

/** A stage that leaves somebody behind, and waits long enough to be hit. */
const stage = (name: string, mark: number, seconds: number) =>
  `(setsid sleep ${mark} >/dev/null 2>&1 &) ; for i in $(seq ${LINES}); do echo "${name} $i"; done; echo "$KEY"; sleep ${seconds}; true`;

export async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + ENDS_WITHIN; Date.now() < end; await sleep(50)) {
    const found = await ask().catch(() => undefined);
    if (found !== undefined) return found;
  }
  throw new Error(`${what} did not happen within ${ENDS_WITHIN / 1000} s.`);
}

/** Between the runner and the server; it can be cut. */
export async function startWire(target: () => number) {
  const open = new Set<Socket>();
  let isCut = false;
  const wire = createServer((socket) => {
    if (isCut) return void socket.destroy();
    const other = connect(target(), '127.0.0.1');
    for (const [one, two] of [
      [socket, other],
      [other, socket],
    ] as const) {
      open.add(one);
      one
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(one);
          two.destroy();
        });
      one.pipe(two);
    }
  }).listen(0, '127.0.0.1');
  await once(wire, 'listening');
  return {
    url: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`,
    async cut(ms: number) {
      isCut = true;
      for (const socket of open) socket.destroy();
      await sleep(ms);
      isCut = false;
    },
    close() {
      for (const socket of open) socket.destroy();
      wire.close();
    },
  };
}

/** Processes whose command line begins so. */
export function processesOf(words: string): number[] {
  try {
    return execFileSync('pgrep', ['-f', '--', `^${words}`], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** What one stage has printed, in the last attempt. */
const numbersOf = (log: readonly string[], name: string): number[] =>
  log.flatMap((line) => (line.startsWith(`${name} `) ? [Number(line.slice(name.length + 1))] : []));

const all = Array.from({ length: LINES }, (_, at) => at + 1);

/** What must be true of a build after something was broken. */
function judge(victim: Victim, build: { result: string; failure?: string }, log: readonly string[]): void {
  if (victim === 'stage') {
    assert.equal(build.result, 'failed');
    assert.match(build.failure ?? '', /failed with exit code|was ended|could not be/);
    assert.ok(log.includes('it Failed'), 'the last script has run');
    return;
  }
  assert.equal(build.result, 'succeeded', build.failure ?? '');
  const returned = log.findLastIndex((line) => line.startsWith('## The runner'));
  assert.equal(returned >= 0, victim === 'runner', 'only a runner that was killed gives its job back');
  const last = log.slice(returned + 1);
  for (const name of ['one', 'two']) assert.deepEqual(numbersOf(last, name), all, `lines of ${name}`);
}

interface World {
  server: RunningServer;
  runner: ChildProcess;
  token: string;
  ask(method: string, rest: string, body?: object): Promise<Record<string, unknown>>;
}

/** Breaks a part of it in the middle of builds, again and again: each ends as it should, and nothing is left behind. */
export async function killBuilds({
  dialect,
  rounds,
}: {
  dialect: Dialect;
  rounds: readonly (readonly [Victim, Moment])[];
}): Promise<string> {
  return withInstallation(dialect, (installation) => breakBuilds(installation, rounds));
}

/** Everything at every moment. */
export const everyKill = victims.flatMap((victim) =>
  // A runner has no stage yet while it fetches the sources, and none any more when it sends files.
  (victim === 'stage' ? (['one 1', 'two 1'] as const) : moments).map((moment) => [victim, moment] as const),
);

async function breakBuilds(
  { settings }: Installation,
  rounds: readonly (readonly [Victim, Moment])[],
): Promise<string> {
  const host = await startGitHost();
  const start = () =>
    startServer({
      ...settings,
      env: { ...settings.env, MOORING_OUTBOUND_ALLOW: '127.0.0.0/8', MOORING_RATE_LIMIT: '0' },
    });
  const first = await start();
  const wire = await startWire(() => Number(new URL(world.server.httpUrl).port));
  const folder = path.join(settings.dataDir, 'runner');
  const env = {
    MOORING_CONFIG_DIR: path.join(settings.dataDir, 'config'),
    MOORING_RUNNER_DIR: folder,
    MOORING_SERVER: first.httpUrl,
  };
  const startRunner = () =>
    spawn(process.execPath, [launcher, 'runner', 'start', '--sandbox', 'host', '--reserve-mb', '1'], {
      env: { PATH: process.env.PATH, ...env },
      stdio: 'ignore',
    });
  const token = (await createToken(first)).api_token;
  const world: World = {
    server: first,
    token,
    runner: undefined as unknown as ChildProcess,
    async ask(method, rest, body) {
      const answer = await send(method, `${world.server.httpUrl}${home}${rest}`, { token, ...(body ? { body } : {}) });
      assert.ok(answer.status < 300, `${method} ${rest}: ${answer.status} ${answer.text}`);
      return answer.text === '' ? {} : answer.json();
    },
  };
  try {
    const app = { name: 'Tide', display_name: 'Tide', os: 'Android', platform: 'Java' };
    await send('POST', `${first.httpUrl}/v0.1/apps`, { token, body: app });
    await world.ask('POST', '/repo_config', { repo_url: host.url });
    const { code } = (await world.ask('POST', '/runners/codes', {})) as { code: string };
    const registered = await runMooring(['runner', 'register', wire.url, '--code', code, '--name', 'box'], env);
    assert.equal(registered.code, 0, registered.stderr);
    world.runner = startRunner();
    host.push('main', {
      'appcenter-post-build.sh':
        'echo "it $AGENT_JOBSTATUS"; head -c 4000000 /dev/urandom > "$APPCENTER_OUTPUT_DIRECTORY/tide.apk"',
    });
    for (const [at, [victim, moment]] of rounds.entries()) {
      await breakOnce(world, { victim, moment, at });
      assert.deepEqual(readdirSync(path.join(folder, 'jobs')), [], 'folders of jobs are gone');
      const leaky = filesBelow(folder).filter((file) => readFileSync(file).includes(SECRET));
      assert.deepEqual(leaky, [], 'no secret is left on the disk');
    }
  } finally {
    world.runner?.kill('SIGTERM');
    wire.close();
    await world.server.stop({ keepData: true });
    await host.stop();
  }
  return `${rounds.length} builds, in each of which something (${[...new Set(rounds.map(([victim]) => victim))].join(', ')}) was broken: each ended, no acknowledged line was lost, no process and no secret was left`;

  /** One build, and what is broken in it. */
  async function breakOnce(
    world: World,
    { victim, moment, at }: { victim: Victim; moment: Moment; at: number },
  ): Promise<void> {
    const marks = [900_000 + at * 2, 900_001 + at * 2] as const;
    const branch = `main-${at}`;
    // A stage that is to be killed is still there when that happens.
    const waits = (line: Moment) => (victim === 'stage' && line === moment ? 60 : 1);
    host.push(branch, {});
    await world.ask('POST', `/branches/${branch}/config`, {
      toolsets: {
        custom: { commands: [stage('one', marks[0], waits('one 1')), stage('two', marks[1], waits('two 1'))] },
      },
      environmentVariables: [{ name: 'KEY', value: SECRET, isSecret: true }],
    });
    const { id } = (await world.ask('POST', `/branches/${branch}/builds`, {})) as { id: number };
    const readLog = async () => ((await world.ask('GET', `/builds/${id}/logs`)) as { value: string[] }).value;
    const seen = await until(`${moment} of build ${id}`, async () => {
      const log = await readLog();
      return log.includes(moment) ? log : undefined;
    });
    if (victim === 'server') {
      world.server.process.kill('SIGKILL');
      await once(world.server.process, 'exit');
      world.server = await start();
    } else if (victim === 'runner') {
      world.runner.kill('SIGKILL');
      await once(world.runner, 'exit');
      world.runner = startRunner();
    } else if (victim === 'stage') {
      const mark = moment === 'one 1' ? marks[0] : marks[1];
      for (const pid of processesOf(`bash -e -c .*sleep ${mark}`)) process.kill(pid, 'SIGKILL');
    } else {
      await wire.cut(3000);
    }
    const build = await until(`The end of build ${id}`, async () => {
      const found = (await world.ask('GET', `/builds/${id}`)) as { status: string; result: string; failure?: string };
      return found.status === 'completed' ? found : undefined;
    });
    const log = await readLog();
    assert.deepEqual(log.slice(0, seen.length), seen, 'what was acknowledged is still there');
    assert.ok(!log.some((line) => line.includes(SECRET)), 'no secret is in the log');
    judge(victim, build, log);
    for (const mark of marks) assert.deepEqual(processesOf(`sleep ${mark}`), [], `${victim} at ${moment}`);
  }
}
