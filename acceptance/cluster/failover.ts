import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints, isRead, kindOfResponse } from '@mooring/contract';
import { buildWorld, exampleRequest, type World } from '@mooring/contract/world';
import { runSql } from '../../tools/postgres.ts';
import { type Answer, createToken, send } from '../harness/http.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { startDeviceLoad } from './device-load.ts';
import { type Change, startLoad } from './load.ts';

const PATIENCE_MS = 180_000;
const HEALTH = '/providers/Vendor.ResourceHealth/events';

type Get = <T>(path: string) => Promise<T>;

async function until(what: string, isTrue: () => boolean): Promise<void> {
  const start = performance.now();
  while (!isTrue()) {
    assert.ok(performance.now() - start < PATIENCE_MS, `In vain waited for ${what}.`);
    await sleep(20);
  }
}

/** Everything that the audit log tells about the changes of the load, as `action name`. */
async function audited(get: Get): Promise<string[]> {
  const told: string[] = [];
  for (const action of ['api_token.create', 'app.create', 'health_event.publish']) {
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const next = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page: { values: { subject: { name?: string } }[]; next_cursor?: string } = await get(
        `/v0.1/admin/audit?limit=200&action=${action}${next}`,
      );
      const names = page.values.flatMap(({ subject }) => subject.name?.split('/').at(-1) ?? []);
      told.push(...names.filter((name) => name.startsWith('W')).map((name) => `${action} ${name}`));
      cursor = page.next_cursor;
    }
  }
  return told.sort();
}

/** Everything of the load that is there, as `action name`. */
async function present(get: Get, isThere: (path: string) => Promise<boolean>, changes: Change[]): Promise<string[]> {
  const tokens = await get<{ description: string | null }[]>('/v0.1/api_tokens');
  const apps = await get<{ name: string }[]>('/v0.1/apps');
  const found: string[] = [];
  for (const { action, name } of changes) {
    if (action !== 'health_event.publish') continue;
    if (await isThere(`${HEALTH}/${name}?api-version=2024-02-01`)) found.push(`${action} ${name}`);
  }
  return [
    ...tokens.flatMap(({ description }) => (description?.startsWith('W') ? `api_token.create ${description}` : [])),
    ...apps.flatMap(({ name }) => (name.startsWith('W') ? `app.create ${name}` : [])),
    ...found,
  ].sort();
}

/** Every change that was acknowledged is there, and the audit log tells of what is there and nothing else; how many those are. */
export async function checkChanges(ask: (path: string) => Promise<Answer>, changes: Change[]): Promise<number> {
  const get: Get = async (path) => {
    const answer = await ask(path);
    assert.equal(answer.status, 200, answer.text);
    return answer.json();
  };
  const there = await present(get, async (path) => (await ask(path)).status === 200, changes);
  const isThere = new Set(there);
  const acknowledged = changes.filter((change) => change.acknowledged);
  const lost = acknowledged.filter(({ action, name }) => !isThere.has(`${action} ${name}`));
  assert.deepEqual(lost, [], 'acknowledged changes that are gone');
  assert.deepEqual(await audited(get), there, 'the audit log does not agree');
  return acknowledged.length;
}

/** What one process is told, all hold to from the next request on. */
export async function checkTogether({ url, ca, servers }: Cluster, token: string): Promise<void> {
  const everywhere = async (credential: string) =>
    (await Promise.all(servers.map(({ httpUrl }) => send('GET', `${httpUrl}/v0.1/user`, { token: credential })))).map(
      ({ status }) => status,
    );
  const [first] = servers;
  assert.ok(first);
  for (let round = 0; round < 5; round++) {
    const { id, api_token } = await createToken(first);
    assert.deepEqual(await everywhere(api_token), [200, 200, 200]);
    assert.equal((await send('DELETE', `${url}/v0.1/api_tokens/${id}`, { token, ca })).status, 204);
    assert.deepEqual(await everywhere(api_token), [401, 401, 401]);
  }
  const keys = await Promise.all(servers.map(({ httpUrl }) => send('GET', `${httpUrl}/common/discovery/keys`)));
  assert.equal(new Set(keys.map(({ status, text }) => `${status} ${text}`)).size, 1, 'the signing keys differ');
}

/** All answer alike, and have whatever there is to read. */
async function checkAlike({ servers }: Cluster, { ids, ada }: World): Promise<void> {
  for (const spec of endpoints.filter((spec) => isRead(spec) && spec.method === 'GET')) {
    const { method, url, headers } = exampleRequest(spec, { ids });
    const answers = await Promise.all(
      servers.map(({ httpUrl }) => send(method, httpUrl + url, { token: ada.token, headers })),
    );
    const statuses = answers.map(({ status }) => status);
    const expected = kindOfResponse(spec.response).statuses(spec.response)[0];
    assert.deepEqual([spec.id, statuses], [spec.id, servers.map(() => expected)]);
  }
}

/** Under load the primary crashes and the standby is promoted; nothing acknowledged may be lost, and nobody restarts a server. */
export async function failOver({ writers, changes }: { writers: number; changes: number }): Promise<string> {
  const cluster = await startCluster();
  try {
    const { url, ca, servers, primary, standby } = cluster;
    const [first] = servers;
    assert.ok(first);
    const world = await buildWorld({ baseUrl: first.httpUrl, fetch, now: Date.now });
    const { token } = world.ada;
    await checkTogether(cluster, token);
    await checkAlike(cluster, world);

    const devices = await startDeviceLoad(() => url, { token, ca, world });
    const load = startLoad(url, { token, ca, writers });
    const acknowledged = () => load.changes.filter((change) => change.acknowledged);
    await until('a load', () => acknowledged().length > changes);
    await primary.halt();
    const lostAt = performance.now();
    const after = () => acknowledged().filter(({ at }) => at > lostAt);
    await runSql(standby.url('postgres'), 'SELECT pg_promote()');
    // The first answers may still be of changes that the old primary had made.
    await until('changes on the promoted standby', () => after().length > changes);
    await Promise.all([load.stop(), devices.stop()]);

    const unexpected = [...load.answers.keys()].filter((status) => ![201, 502, 503, 504, 'gone'].includes(status));
    assert.deepEqual(unexpected, [], 'answers that no outage explains');
    const ask = (path: string) => send('GET', url + path, { token, ca });
    await checkChanges(ask, load.changes);
    const sent = await devices.check();

    const times = [lostAt, ...after().map(({ at }) => at)].sort((a, b) => a - b);
    const gap = Math.max(...times.slice(1).map((at, n) => at - (times[n] ?? at)));
    const refused = load.changes.length - acknowledged().length;
    return `three processes behind HAProxy, the primary crashed and its standby was promoted under load: ${acknowledged().length} acknowledged changes all there, ${refused} refused, the audit log agrees; ${(gap / 1000).toFixed(1)} s without a change, no restart; ${sent}`;
  } finally {
    await cluster.stop();
  }
}
