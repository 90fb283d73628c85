import type { InjectOptions } from 'fastify';
import { CompiledQuery } from 'kysely';
import { expect, test, vi } from 'vitest';
import { createApk } from '../../../../tools/samples/packages.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { isRemembered } from '../../src/db/remembered-tables.ts';
import { declaredTables } from '../../src/db/tables.ts';
import { mintToken } from '../../src/domains/tokens/index.ts';
import { HOUR } from '../../src/kernel/clock.ts';
import { type TestApp, testApp } from '../harness/app.ts';
import { eachDatabase } from '../harness/services/databases.ts';
import { provider } from '../harness/services/identity-provider.ts';
import { addBystanders, rememberedAddresses } from './bystanders.ts';

const tablesIn = (sql: string): string[] => [...sql.matchAll(/(?:from|join) "(\w+)"/g)].map(([, name = '']) => name);

const views: Record<DialectName, string> = {
  sqlite: "SELECT name, sql AS definition FROM sqlite_schema WHERE type = 'view'",
  postgres: "SELECT viewname AS name, definition FROM pg_views WHERE schemaname = 'public'",
};

/** The tables of a view. */
async function tablesBehind({ database }: TestApp) {
  const rows = await database.query<{ name: string; definition: string }>(() => ({
    compile: () => CompiledQuery.raw(views[database.dialect]),
  }));
  const known = new Map(
    rows.map(({ name, definition }) => [
      name,
      [...definition.matchAll(/(?:from|join)\s+\(*(\w+)/gi)].map(([, table = '']) => table),
    ]),
  );
  expect([...known.values()].every((tables) => tables.length > 0)).toBe(true);
  // A view may select from another view.
  const findTables = (name: string): string[] => known.get(name)?.flatMap(findTables) ?? [name];
  return findTables;
}

/** Rows that are deleted or changed together with rows they reference. */
const cascades: Record<DialectName, string> = {
  sqlite: `SELECT m.name AS child, f."table" AS parent FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
    WHERE m.type = 'table' AND f.on_delete IN ('CASCADE', 'SET NULL')`,
  postgres: `SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent FROM pg_constraint
    WHERE contype = 'f' AND confdeltype IN ('c', 'n')`,
};

/** These tables and those whose deletion cascades to them, for which no statement writes to them. */
async function withParents({ database }: TestApp, tables: ReadonlySet<string>): Promise<Set<string>> {
  const links = await database.query<{ child: string; parent: string }>(() => ({
    compile: () => CompiledQuery.raw(cascades[database.dialect]),
  }));
  expect(links.length).toBeGreaterThan(10);
  const all = new Set(tables);
  // Iterating over a set includes elements that are added meanwhile.
  for (const table of all) for (const { child, parent } of links) if (child === table) all.add(parent);
  return all;
}

/** Runs work, and returns the SQL of its reads. */
async function recordStatements({ database }: TestApp, work: () => Promise<unknown>): Promise<Set<string>> {
  const spy = vi.spyOn(database, 'run');
  await work();
  const statements = new Set(spy.mock.calls.map(([{ sql }]) => sql));
  spy.mockRestore();
  return statements;
}

/** Operations for operators only. */
const ofOperators = '/providers/Vendor.ResourceHealth/events/NONE?api-version=2024-02-01';

const subscriptions = '/subscriptions?api-version=2024-02-01';

/** Read again every ten seconds for the hourly limit of logs. */
const readByTime = new Set(['ingest_minutes']);

/** Cached with their own version. */
const isPage = (address: string) => address.includes('/events?');

/** A user of another identity provider. */
async function createBearer(app: TestApp, theirs: Awaited<ReturnType<typeof provider>>) {
  const headers = { authorization: `Bearer ${await theirs.sign(app)}` };
  // The first request links the account, which is not a read.
  const { statusCode } = await (await app.another()).http.inject({ url: subscriptions, headers });
  expect(statusCode).toBe(200);
  return headers;
}

/** Logs from an SDK in an app that was built before its secret was rotated. */
async function sendingWithFormerSecret(app: TestApp, token: string): Promise<InjectOptions> {
  const home = '/v0.1/apps/ada/compass';
  const { app_secret } = (await app.call('GET', home, { token })).json();
  const rotated = await app.call('POST', `${home}/secrets/rotate`, { token, body: { overlap_hours: 24 } });
  expect(rotated.statusCode).toBe(200);
  return {
    method: 'POST',
    url: '/logs?api-version=1.0.0',
    headers: { 'app-secret': app_secret, 'install-id': '0d1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d11' },
    payload: { logs: [] },
  };
}

/** An envelope without items from a Sentry SDK. */
async function envelopeRequest(app: TestApp, token: string): Promise<InjectOptions> {
  const { project_id, public_key } = (await app.call('GET', '/v0.1/apps/ada/compass/sentry', { token })).json();
  return {
    method: 'POST',
    url: `/api/${project_id}/envelope/?sentry_key=${public_key}`,
    headers: { 'content-type': 'application/x-sentry-envelope' },
    payload: '{}\n',
  };
}

/** An update check of a device on a deployment with a release. */
async function updateRequest(app: TestApp, token: string): Promise<InjectOptions> {
  const home = '/v0.1/apps/ada/compass/deployments';
  const { key } = (await app.call('POST', home, { token, body: { name: 'Staging' } })).json();
  const id = '6f1c2b3a-0000-4000-8000-000000000001';
  const headers = { 'content-type': 'application/octet-stream' };
  await app.call('PUT', `${home}/Staging/uploads/${id}`, { token, headers, body: Buffer.from('a bundle') });
  const body = { release_upload: { id }, target_binary_version: '1.0.0' };
  expect((await app.call('POST', `${home}/Staging/releases`, { token, body })).statusCode).toBe(201);
  return { method: 'GET', url: `/v0.1/public/codepush/update_check?deployment_key=${key}&app_version=1.0.0` };
}

/** A request of an SDK in an app whose public group has a release. */
async function releaseRequest(app: TestApp, token: string): Promise<InjectOptions> {
  const home = '/v0.1/apps/ada/compass';
  const call = async (method: string, url: string, body: unknown, headers = {}) =>
    (await app.call(method, home + url, { token, body, headers })).json();
  await call('PUT', '/releases/uploads?file_name=a.apk', createApk(), { 'content-type': 'application/octet-stream' });
  await app.runJobs();
  const { id } = await call('POST', '/distribution_groups', { name: 'Open' });
  await call('PATCH', '/distribution_groups/Open', { is_public: true });
  await call('POST', '/releases/1/groups', { id });
  const { app_secret } = (await app.call('GET', home, { token })).json();
  return { method: 'GET', url: `/v0.1/public/sdk/apps/${app_secret}/releases/latest` };
}

/** A request of the directory of an organization. */
async function directoryRequest(app: TestApp, token: string): Promise<InjectOptions> {
  const home = '/v0.1/orgs/lighthouse/provisioning/tokens';
  const { scim_token } = (await app.call('POST', home, { token, body: {} })).json();
  const headers = { authorization: `Bearer ${scim_token}` };
  return { method: 'GET', url: '/scim/v2/lighthouse/ServiceProviderConfig', headers };
}

/** A request of a CI job with its token. */
async function ciRequest(app: TestApp, token: string): Promise<InjectOptions> {
  const body = { provider: 'github', claims: { repository: 'octo/compass' }, permissions: ['apps:read'] };
  const { id } = (await app.call('POST', '/v0.1/apps/ada/compass/ci_rules', { token, body })).json();
  const { value, hash } = mintToken('ci');
  const expires_at = app.deps.clock.now() + HOUR;
  await app.database.transaction((db) =>
    db.query((q) => q.insertInto('ci_tokens').values({ hash, id, rule_id: id, expires_at })),
  );
  return { method: 'GET', url: '/v0.1/apps/ada/compass', headers: { 'x-api-token': value } };
}

eachDatabase('the cache of a process', (dialect) => {
  test('reads only tables that are declared as cached, for every caller and operation', async () => {
    const theirs = await provider();
    const app = await testApp(dialect, { oidcIssuer: theirs.issuer, oidcAudience: ['mooring'] });
    const ada = await app.addUser('ada', { isAdmin: true });
    const grace = await app.addUser('grace');
    const org = await app.addOrg(ada, 'lighthouse');
    await app.addToOrg(org, grace, 'member');
    await app.addOrgApp(org, ada, 'buoy');
    await app.addMember(await app.addApp(ada, 'compass'), grace, 'viewer');
    await app.addSubscription('5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11', 'lighthouse');
    const bystanders = await addBystanders(
      app,
      { ada: ['all', 'session'], grace: ['viewer', 'session', 'OAuth', 'OAuth code'] },
      { owner: 'ada', app: 'compass' },
    );
    // Sent to another process, whose caches are still empty.
    const all = await rememberedAddresses((await app.another()).http, bystanders);
    const addresses = [...all.filter((url) => !isPage(url)), ofOperators];
    const requests: InjectOptions[] = [...bystanders, { headers: await createBearer(app, theirs) }].flatMap(
      ({ headers }) =>
        addresses.map((url) => ({ method: url === ofOperators ? 'DELETE' : 'GET', url, headers }) as const),
    );
    const token = await app.userToken(ada);
    requests.push(
      await sendingWithFormerSecret(app, token),
      await envelopeRequest(app, token),
      await updateRequest(app, token),
      await releaseRequest(app, token),
      await directoryRequest(app, token),
      await ciRequest(app, token),
    );
    const behind = await tablesBehind(app);
    const remembered = new Set<string>();
    for (const request of requests) {
      const repeat = () => app.http.inject(request);
      const cold = await recordStatements(app, repeat);
      const warm = await recordStatements(app, repeat);
      // Data that was read once and not again was cached.
      for (const sql of cold)
        if (!warm.has(sql)) {
          for (const table of tablesIn(sql).flatMap(behind)) if (!readByTime.has(table)) remembered.add(table);
        }
    }
    const needed = await withParents(app, remembered);
    // Compares both ways: finds missing declarations, and unnecessary ones.
    const declared = declaredTables().filter(isRemembered);
    expect([...needed].sort()).toEqual(declared.sort());
  });
});
