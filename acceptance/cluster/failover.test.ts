import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runSql } from '../../tools/postgres.ts';
import { createToken, send } from '../harness/http.ts';
import type { RunningServer } from '../harness/server.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type Change, startLoad } from './load.ts';

let cluster: Cluster;
let token: string;

beforeAll(async () => {
  cluster = await startCluster();
  token = (await createToken(first())).api_token;
}, 120_000);
afterAll(() => cluster?.stop());

const first = (): RunningServer => {
  const [server] = cluster.servers;
  if (!server) throw new Error('no server');
  return server;
};
const get = <T>(path: string) =>
  send('GET', cluster.url + path, { token, ca: cluster.ca }).then((answer) => {
    expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)]);
    return answer.json<T>();
  });
const everywhere = <T>(ask: (server: RunningServer) => Promise<T>) => Promise.all(cluster.servers.map(ask));
const statuses = (path: string, call: object) =>
  everywhere((server) => send('GET', server.httpUrl + path, call)).then((all) => all.map(({ status }) => status));

test('what one process is told, all three hold to from the next request on', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, api_token } = await createToken(first());
    expect(await statuses('/v0.1/user', { token: api_token })).toEqual([200, 200, 200]);
    expect((await send('DELETE', `${cluster.url}/v0.1/api_tokens/${id}`, { token, ca: cluster.ca })).status).toBe(204);
    expect(await statuses('/v0.1/user', { token: api_token })).toEqual([401, 401, 401]);
  }
  const keys = await everywhere((server) => send('GET', `${server.httpUrl}/common/discovery/keys`));
  expect(new Set(keys.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
});

/** Everything that the audit log tells about the changes of the load, as `action name`. */
async function audited(): Promise<string[]> {
  const told: string[] = [];
  for (const action of ['api_token.create', 'app.create', 'health_event.publish']) {
    let cursor = '';
    do {
      const page = await get<{ values: { action: string; subject: { name?: string } }[]; next?: string }>(
        `/v0.1/admin/audit?limit=200&action=${action}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      told.push(
        ...page.values.flatMap(({ subject }) => {
          const name = subject.name?.split('/').at(-1);
          return name?.startsWith('W') ? `${action} ${name}` : [];
        }),
      );
      cursor = page.next ?? '';
    } while (cursor);
  }
  return told.sort();
}

/** Everything of the load that is there, as `action name`. */
async function present(changes: Change[]): Promise<string[]> {
  const tokens = await get<{ description: string }[]>('/v0.1/api_tokens');
  const apps = await get<{ name: string }[]>('/v0.1/apps');
  const events: string[] = [];
  for (const { action, name } of changes) {
    if (action !== 'health_event.publish') continue;
    const path = `/providers/Vendor.ResourceHealth/events/${name}?api-version=2024-02-01`;
    if ((await send('GET', cluster.url + path, { token, ca: cluster.ca })).status === 200) events.push(name);
  }
  return [
    ...tokens.flatMap(({ description }) => (description?.startsWith('W') ? `api_token.create ${description}` : [])),
    ...apps.map(({ name }) => `app.create ${name}`),
    ...events.map((name) => `health_event.publish ${name}`),
  ].sort();
}

test('the primary is killed and the standby promoted under load: nothing acknowledged is lost, and the service goes on by itself', async () => {
  const load = startLoad(cluster.url, { token, ca: cluster.ca, writers: 8 });
  const acknowledged = () => load.changes.filter((change) => change.acknowledged);
  await vi.waitFor(() => expect(acknowledged().length).toBeGreaterThan(150), { timeout: 60_000 });

  await cluster.primary.halt();
  const killedAt = performance.now();
  await runSql(cluster.standby.url('postgres'), 'SELECT pg_promote()');
  const after = () => acknowledged().filter(({ at }) => at > killedAt);
  // The first answers after the kill may be of changes that had been made before it.
  await vi.waitFor(() => expect(after().length).toBeGreaterThan(150), { timeout: 60_000 });
  await load.stop();

  expect([...load.answers.keys()].filter((status) => ![201, 502, 503, 504, 'gone'].includes(status))).toEqual([]);
  const there = await present(load.changes);
  const lost = acknowledged().filter(({ action, name }) => !there.includes(`${action} ${name}`));
  expect(lost).toEqual([]);
  expect(await audited()).toEqual(there);

  const gap = after().reduce((longest, { at }, n, all) => Math.max(longest, at - (all[n - 1]?.at ?? killedAt)), 0);
  process.stdout.write(
    `${acknowledged().length} changes acknowledged, ${load.changes.length - acknowledged().length} refused, none lost; ${(gap / 1000).toFixed(1)} s without an answer\n`,
  );
}, 180_000);
