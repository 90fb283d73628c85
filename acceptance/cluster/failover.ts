import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints, getResponseKind, isRead, scimSurface } from '@mooring/contract';
import { buildFixtures, exampleRequest, type Fixtures, SCIM_TOKEN } from '@mooring/contract/fixtures';
import { runSql } from '../../test-support/postgres.ts';
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
    assert.ok(performance.now() - start < PATIENCE_MS, `Timed out waiting for ${what}.`);
    await sleep(20);
  }
}

/** Changes of the load that are in the audit log, as `action name`. */
async function audited(get: Get): Promise<string[]> {
  const messages: string[] = [];
  for (const action of ['api_token.create', 'app.create', 'health_event.publish']) {
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const next = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page: { values: { subject: { name?: string } }[]; next_cursor?: string } = await get(
        `/v0.1/admin/audit?limit=200&action=${action}${next}`,
      );
      const names = page.values.flatMap(({ subject }) => subject.name?.split('/').at(-1) ?? []);
      messages.push(...names.filter((name) => name.startsWith('W')).map((name) => `${action} ${name}`));
      cursor = page.next_cursor;
    }
  }
  return messages.sort();
}

/** Changes of the load that are in effect, as `action name`. */
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

/** Checks that all acknowledged changes are in effect and that the audit log matches them; returns their number. */
export async function checkChanges(request: (path: string) => Promise<Answer>, changes: Change[]): Promise<number> {
  const get: Get = async (path) => {
    const answer = await request(path);
    assert.equal(answer.status, 200, answer.text);
    return answer.json();
  };
  const there = await present(get, async (path) => (await request(path)).status === 200, changes);
  const isThere = new Set(there);
  const acknowledged = changes.filter((change) => change.acknowledged);
  const lost = acknowledged.filter(({ action, name }) => !isThere.has(`${action} ${name}`));
  assert.deepEqual(lost, [], 'acknowledged changes are missing');
  assert.deepEqual(await audited(get), there, 'the audit log does not match the changes');
  return acknowledged.length;
}

/** Checks that a change through one process takes effect in all others immediately. */
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

/** Checks that all processes return the same data. */
async function checkAlike({ servers }: Cluster, { ids, ada }: Fixtures): Promise<void> {
  const reads = endpoints
    .filter((spec) => isRead(spec) && spec.method === 'GET')
    .map((spec) => ({ spec, request: exampleRequest(spec, { ids }) }));
  // No runner renews the lease of its job, so requests with the token of the job come first.
  const hasJobToken = ({ request }: (typeof reads)[number]) => 'x-job-token' in request.headers;
  reads.sort((a, b) => Number(hasJobToken(b)) - Number(hasJobToken(a)));
  for (const { spec, request } of reads) {
    const { method, url, headers } = request;
    // SCIM accepts only the token of a directory.
    const credential: Record<string, string> =
      spec.surface === scimSurface ? { authorization: `Bearer ${ids.get(SCIM_TOKEN)}` } : { 'x-api-token': ada.token };
    const answers = await Promise.all(
      servers.map(({ httpUrl }) => send(method, httpUrl + url, { headers: { ...credential, ...headers } })),
    );
    const statuses = answers.map(({ status }) => status);
    const allowed = getResponseKind(spec.response).statuses(spec.response);
    const expected = allowed.find((status) => status === statuses[0]) ?? allowed[0];
    assert.deepEqual([spec.id, statuses], [spec.id, servers.map(() => expected)]);
  }
}

/**
 * Under load the primary crashes and the standby is promoted. No acknowledged change may be lost, and no server is
 * restarted.
 */
export async function failOver({ writers, changes }: { writers: number; changes: number }): Promise<string> {
  const cluster = await startCluster();
  try {
    const { url, ca, servers, primary, standby } = cluster;
    const [first] = servers;
    assert.ok(first);
    const fixtures = await buildFixtures({ baseUrl: first.httpUrl, fetch, now: Date.now });
    const { token } = fixtures.ada;
    await checkTogether(cluster, token);
    await checkAlike(cluster, fixtures);

    const devices = await startDeviceLoad(() => url, { token, ca, fixtures });
    const load = startLoad(url, { token, ca, writers });
    const acknowledged = () => load.changes.filter((change) => change.acknowledged);
    await until('acknowledged changes', () => acknowledged().length > changes);
    await primary.halt();
    const lostAt = performance.now();
    const after = () => acknowledged().filter(({ at }) => at > lostAt);
    await runSql(standby.url('postgres'), 'SELECT pg_promote()');
    // The first responses may still be of changes that the old primary committed.
    await until('changes on the promoted standby', () => after().length > changes);
    await Promise.all([load.stop(), devices.stop()]);

    const unexpected = [...load.answers.keys()].filter((status) => ![201, 502, 503, 504, 'broken'].includes(status));
    assert.deepEqual(unexpected, [], 'responses that the outage does not explain');
    const request = (path: string) => send('GET', url + path, { token, ca });
    await checkChanges(request, load.changes);
    const sent = await devices.check();

    const times = [lostAt, ...after().map(({ at }) => at)].sort((a, b) => a - b);
    const gap = Math.max(...times.slice(1).map((at, n) => at - (times[n] ?? at)));
    const refused = load.changes.length - acknowledged().length;
    return `three processes behind HAProxy, under load, while the primary crashed and its standby was promoted: ${acknowledged().length} acknowledged changes all present, ${refused} refused, the audit log agrees; ${(gap / 1000).toFixed(1)} s without a change, no restart; ${sent}`;
  } finally {
    await cluster.stop();
  }
}
