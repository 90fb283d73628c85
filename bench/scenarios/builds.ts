import { setTimeout as sleep } from 'node:timers/promises';
import { startGitHost } from '../../test-support/git-host.ts';
import { type Bench, type Contestant, median, number, processorSeconds, table } from '../harness.ts';
import { type OpenApp, openApp, startRunner } from '../load/open-app.ts';

const TIMEOUT_MS = 120_000;
const RUNNERS = 200;
const LINE = 'x'.repeat(40);

type Host = Awaited<ReturnType<typeof startGitHost>>;

/** Polls until the condition holds. */
async function until<T>(what: string, poll: () => Promise<T | undefined>, everyMs = 20): Promise<T> {
  for (const end = performance.now() + TIMEOUT_MS; ; await sleep(everyMs)) {
    const found = await poll();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`Timed out after ${TIMEOUT_MS / 1000} s waiting for ${what}.`);
  }
}

interface Build {
  id: number;
  status: string;
  result: string;
}

const waitForEnd = (app: OpenApp, id: number): Promise<Build> =>
  until(`build ${id} to finish`, async () => {
    const { body } = await app.callApi('GET', `/builds/${id}`);
    return (body as Build).status === 'completed' ? (body as Build) : undefined;
  });

const configure = (app: OpenApp, branch: string, ...commands: string[]) =>
  app.callApi('POST', `/branches/${branch}/config`, { trigger: 'continuous', toolsets: { custom: { commands } } });

/** The time from a push until the first line of its log can be read, with an idle runner. */
async function timePushes(app: OpenApp, host: Host, rounds: number): Promise<number[]> {
  await configure(app, 'pushed', 'true');
  const { git_hook } = (await app.callApi('POST', '/repo_config/push_hook', {})).body;
  host.setHook((git_hook as string).replace(/https?:\S+(?=\/v0\.1\/)/, app.server));
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    host.commit('pushed', { round: String(round) });
    const begun = performance.now();
    await host.pushOverHttp('pushed');
    const { id } = await until(
      'a build',
      async () => (await app.callApi('GET', '/builds?branch=pushed&limit=1')).body.values[0] as Build,
    );
    const lines = async () => ((await app.callApi('GET', `/builds/${id}/logs`)).body.value as string[])[0];
    await until('the first log line', lines);
    times.push(performance.now() - begun);
    await waitForEnd(app, id);
  }
  return times;
}

/** The overhead of a build whose tools take no time: queue, checkout, log, end. */
async function timeEmptyBuilds(app: OpenApp, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    const { id } = (await app.callApi('POST', '/branches/empty/builds', {})).body as Build;
    const { result } = await waitForEnd(app, id);
    if (result !== 'succeeded') throw new Error(`An empty build ended with the result ${result}.`);
    times.push(performance.now() - begun);
  }
  return times;
}

/** Counts lines like a page that shows the log of a build. */
async function watch(app: OpenApp, id: number, isLast: (line: string) => boolean): Promise<number> {
  const answer = await fetch(`${app.server}${app.home}/builds/${id}/logs/live`, { headers: app.token });
  if (!answer.ok || !answer.body) throw new Error(`The stream of the log returned ${answer.status}.`);
  let count = 0;
  let text = '';
  let begun = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      if (!/^event: log$/m.test(event)) continue;
      const data = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '{}') as { text: string };
      const lines = (begun + data.text).split('\n');
      begun = lines.pop() ?? '';
      count += lines.filter((line) => line.endsWith(LINE)).length;
      if (lines.some(isLast)) return count;
    }
  }
  return count;
}

/** A build prints as fast as it can, with one reader. */
async function timeLog(app: OpenApp, host: Host, lines: number): Promise<{ perSecond: number; shown: number }> {
  host.push('loud', {
    'loud.mjs': `let text = '';
for (let at = 0; at < ${lines}; at += 1) { text += at + ' ${LINE}\\n'; if (text.length > 60000) { process.stdout.write(text); text = ''; } }
process.stdout.write(text + 'the last line\\n');`,
  });
  await configure(app, 'loud', 'node loud.mjs');
  const { id } = (await app.callApi('POST', '/branches/loud/builds', {})).body as Build;
  await until(
    'the build to start',
    async () => (await app.callApi('GET', `/builds/${id}`)).body.status === 'inProgress' || undefined,
  );
  const begun = performance.now();
  const shown = await watch(app, id, (line) => line === 'the last line');
  const seconds = (performance.now() - begun) / 1000;
  await waitForEnd(app, id);
  return { perSecond: lines / seconds, shown };
}

/** The CPU time of idle runners. */
async function measureIdleCost(app: OpenApp, { process: server }: Contestant, seconds: number): Promise<number> {
  const stop = new AbortController();
  const registration = { protocol: 1, version: '1', labels: [], tools: [], slots: 1 };
  const waiting: Promise<void>[] = [];
  for (let at = 0; at < RUNNERS; at += 1) {
    const { token } = (await app.send('POST', '/v0.1/runners', {}, { code: await app.code(), name: `box ${at}` })).body;
    const headers = { 'x-runner-token': token as string, 'content-type': 'application/json' };
    await app.send('PUT', '/v0.1/runner', headers, registration);
    const poll = async () => {
      while (!stop.signal.aborted) {
        await fetch(`${app.server}/v0.1/runner/jobs`, { method: 'POST', headers, body: '{}', signal: stop.signal })
          .then((answer) => answer.arrayBuffer())
          .catch(() => undefined);
      }
    };
    waiting.push(poll());
  }
  await sleep(2000);
  const before = processorSeconds(server.pid ?? 0);
  await sleep(seconds * 1000);
  const used = processorSeconds(server.pid ?? 0) - before;
  stop.abort();
  await Promise.all(waiting);
  return used / seconds;
}

export async function measureBuilds(bench: Bench): Promise<string> {
  const rows: string[][] = [];
  for (const name of ['SQLite', 'PostgreSQL']) {
    const databaseUrl = name === 'PostgreSQL' ? await bench.postgresDatabase('builds') : undefined;
    const server = await bench.startMooring(name, {
      dataDir: bench.at(`builds-${name}`),
      ...(databaseUrl ? { databaseUrl } : {}),
      env: { MOORING_OUTBOUND_ALLOW: '127.0.0.0/8' },
    });
    const host = await startGitHost();
    const app = await openApp(server, 'Compass');
    await app.callApi('POST', '/repo_config', { repo_url: host.url });
    const share = await measureIdleCost(app, server, bench.isQuick ? 5 : 60);
    const runner = await startRunner({ ...bench, at: (folder) => bench.at(`${name}-${folder}`) }, app);
    try {
      host.push('empty', {});
      await configure(app, 'empty', 'true');
      // A first build without measuring, so that caches are warm.
      await timeEmptyBuilds(app, 1);
      const pushes = await timePushes(app, host, bench.isQuick ? 2 : 15);
      const empty = await timeEmptyBuilds(app, bench.isQuick ? 2 : 15);
      const log = await timeLog(app, host, bench.isQuick ? 20_000 : 200_000);
      const goals = [
        {
          what: `From a push to the first line of its log, ${name}`,
          atMost: 2,
          measured: median(pushes) / 1000,
          unit: ' s',
          digits: 2,
        },
        {
          what: `Overhead of a build beyond its tools, ${name}`,
          atMost: 3,
          measured: median(empty) / 1000,
          unit: ' s',
          digits: 2,
        },
        {
          what: `${RUNNERS} waiting runners, ${name}, of a core`,
          atMost: 5,
          measured: share * 100,
          unit: ' %',
          digits: 1,
        },
      ];
      for (const { what, atMost, ...goal } of goals) bench.goal({ what, aim: { atMost }, ...goal });
      bench.goal({
        what: `Log lines stored and shown per second, ${name}`,
        aim: { atLeast: 20_000 },
        measured: log.perSecond,
        unit: '',
        digits: 0,
      });
      rows.push([
        name,
        `${number(median(pushes) / 1000, 2)} s`,
        `${number(median(empty) / 1000, 2)} s`,
        `${number(log.perSecond)} (${number(log.shown)} seen)`,
        `${number(share * 100, 1)} %`,
      ]);
    } finally {
      runner.kill();
      await host.stop();
      server.process.kill();
    }
  }
  return [
    '## Builds',
    `A runner of this machine, without a sandbox. Goals: under 2 s, under 3 s, at least 20,000 lines per second, under 5% of a core for ${RUNNERS} waiting runners.`,
    table(['database', 'push to first line', 'an empty build', 'lines per second', 'waiting runners'], rows),
  ].join('\n\n');
}
