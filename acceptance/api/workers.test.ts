import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answer, type Call, createToken, send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

async function start(env: Record<string, string>, more: { withoutAdmin?: boolean; dataDir?: string } = {}) {
  const server = await startServer({ env, ...more });
  cleanUp.push(() => server.stop());
  return server;
}

/** Lists the child processes of a process. */
const listChildren = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid)
          ? Number(name)
          : [];
      } catch {
        // It has ended since.
        return [];
      }
    });

const listWorkers = ({ process: { pid = 0 } }: RunningServer): number[] => listChildren(pid);

/** Each on its own connection, so that they are spread over the workers. */
const atOnce = (times: number, url: string, call?: Call): Promise<Answer[]> =>
  Promise.all(Array.from({ length: times }, () => send('GET', url, call)));

const requestRepeatedly = (server: RunningServer, token: string, times: number): Promise<Answer[]> =>
  atOnce(times, `${server.httpUrl}/v0.1/user`, { token });

/**
 * Waits until several workers have answered; request IDs of one worker start with the same characters. A worker that
 * listens alone would answer all requests.
 */
const untilAllAnswer = (server: RunningServer, workers: number): Promise<void> => {
  const seen = new Set<string | undefined>();
  return vi.waitFor(
    async () => {
      const call = { headers: { connection: 'close' } };
      for (const { headers } of await atOnce(6, `${server.httpUrl}/v0.1/server`, call)) {
        seen.add(String(headers['x-request-id']).split('-')[0]);
      }
      expect(seen.size).toBe(workers);
    },
    { timeout: 50_000, interval: 200 },
  );
};

test('workers share ports and state, and a lost worker is replaced', async () => {
  const server = await start({ MOORING_WORKERS: '3' });
  await untilAllAnswer(server, 3);
  const { api_token: token } = await createToken(server);
  for (let round = 0; round < 10; round++) {
    const { id, api_token } = await createToken(server);
    expect((await requestRepeatedly(server, api_token, 6)).map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await send('DELETE', `${server.httpUrl}/v0.1/api_tokens/${id}`, { token })).status).toBe(204);
    expect((await requestRepeatedly(server, api_token, 6)).map(({ status }) => status)).toEqual(Array(6).fill(401));
  }
  const counted = async () => {
    const { text } = await send('GET', `${server.httpUrl}/metrics`);
    return Number(/mooring_http_requests_total\{operation="users_get",status="200"\} (\d+)/.exec(text)?.[1]);
  };
  expect(await counted()).toBe(60);

  const [victim = 0] = listWorkers(server);
  process.kill(victim, 'SIGKILL');
  await vi.waitFor(
    () => {
      const workers = listWorkers(server);
      expect([workers.length, workers.includes(victim)]).toEqual([3, false]);
    },
    { timeout: 30_000, interval: 200 },
  );
  expect((await requestRepeatedly(server, token, 6)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  const workers = listWorkers(server);
  expect(await server.stop()).toBe(0);
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('workers print one greeting with one setup link, which works', async () => {
  const server = await start({ MOORING_WORKERS: '2' }, { withoutAdmin: true });
  await vi.waitFor(() => expect(listWorkers(server)).toHaveLength(2), { timeout: 30_000 });
  expect(server.output().match(/Mooring is ready/g)).toHaveLength(1);
  const setup_token = server.setupLink?.split('token=')[1];
  const body = { setup_token, email: 'root@example.com', password: 'correct horse battery' };
  expect((await send('POST', `${server.httpUrl}/v0.1/setup`, { body })).status).toBe(201);
});

test('workers count requests together', async () => {
  const server = await start({ MOORING_WORKERS: '3', MOORING_RATE_LIMIT: '30' });
  await untilAllAnswer(server, 3);
  const { api_token } = await createToken(server);
  // A minute may end in between, so the test repeats until a round fits into one.
  await vi.waitFor(
    async () => {
      const window = Math.floor(Date.now() / 60_000);
      const passed = (await requestRepeatedly(server, api_token, 60)).filter(({ status }) => status === 200).length;
      expect(Math.floor(Date.now() / 60_000)).toBe(window);
      expect([0, 30]).toContain(passed);
    },
    { timeout: 50_000, interval: 100 },
  );
});

test('a process answers requests or runs jobs, depending on its roles', async () => {
  const api = await start({ MOORING_ROLES: 'api', MOORING_LOG_LEVEL: 'info' });
  const { api_token: token } = await createToken(api);
  const org = await send('POST', `${api.httpUrl}/v0.1/orgs`, { token, body: { name: 'lighthouse' } });
  expect(org.status).toBe(201);
  const invited = await send('POST', `${api.httpUrl}/v0.1/orgs/lighthouse/invitations`, {
    token,
    body: { user_email: 'new@example.com' },
  });
  expect(invited.status).toBe(204);
  const waiting = async () =>
    (await send('GET', `${api.httpUrl}/v0.1/admin/jobs?state=waiting`, { token }))
      .json<{ values: { name: string }[] }>()
      .values.filter(({ name }) => name === 'mail.deliver').length;
  expect(await waiting()).toBe(1);

  const worker = await startServer({ env: { MOORING_ROLES: 'worker' }, dataDir: api.dataDir });
  cleanUp.push(() => worker.stop({ keepData: true }));
  await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000 });
  expect((await send('GET', `${worker.httpUrl}/healthz`)).status).toBe(200);
  expect((await send('GET', `${worker.httpUrl}/v0.1/user`, { token })).status).toBe(404);
});
