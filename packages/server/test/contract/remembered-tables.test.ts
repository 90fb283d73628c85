import type { InjectOptions } from 'fastify';
import { CompiledQuery } from 'kysely';
import { expect, test, vi } from 'vitest';
import { apkOf } from '../../../../tools/packages.ts';
import type { DialectName } from '../../src/db/connection.ts';
import { isRemembered } from '../../src/db/remembered-tables.ts';
import { declaredTables } from '../../src/db/tables.ts';
import { type TestApp, testApp } from '../harness/app.ts';
import { eachDatabase } from '../harness/databases.ts';
import { provider } from '../harness/identity-provider.ts';
import { addBystanders, rememberedAddresses } from './bystanders.ts';

const tablesIn = (sql: string): string[] => [...sql.matchAll(/(?:from|join) "(\w+)"/g)].map(([, name = '']) => name);

const views: Record<DialectName, string> = {
  sqlite: "SELECT name, sql AS definition FROM sqlite_schema WHERE type = 'view'",
  postgres: "SELECT viewname AS name, definition FROM pg_views WHERE schemaname = 'public'",
};

/** For a view, the tables behind it. */
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
  expect([...known.values()].every((tables) => tables.length > 1)).toBe(true);
  return (name: string): string[] => known.get(name) ?? [name];
}

/** Which rows go, or change, with those that they refer to. */
const cascades: Record<DialectName, string> = {
  sqlite: `SELECT m.name AS child, f."table" AS parent FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
    WHERE m.type = 'table' AND f.on_delete IN ('CASCADE', 'SET NULL')`,
  postgres: `SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent FROM pg_constraint
    WHERE contype = 'f' AND confdeltype IN ('c', 'n')`,
};

/** These tables, and those with whose rows theirs go: no statement says that it writes to them then. */
async function withParents({ database }: TestApp, tables: ReadonlySet<string>): Promise<Set<string>> {
  const links = await database.query<{ child: string; parent: string }>(() => ({
    compile: () => CompiledQuery.raw(cascades[database.dialect]),
  }));
  expect(links.length).toBeGreaterThan(10);
  const all = new Set(tables);
  // A set that grows while it is walked through is walked through to its end.
  for (const table of all) for (const { child, parent } of links) if (child === table) all.add(parent);
  return all;
}

/** Runs some work, and gives the SQL that it read with. */
async function statementsOf({ database }: TestApp, work: () => Promise<unknown>): Promise<Set<string>> {
  const spy = vi.spyOn(database, 'run');
  await work();
  const statements = new Set(spy.mock.calls.map(([{ sql }]) => sql));
  spy.mockRestore();
  return statements;
}

/** What only operators may do. */
const ofOperators = '/providers/Vendor.ResourceHealth/events/NONE?api-version=2024-02-01';

const subscriptions = '/subscriptions?api-version=2024-02-01';

/** Read again every ten seconds: the sum that the hourly limit of logs compares. */
const readByTime = new Set(['ingest_minutes']);

/** Rest on a version of their own. */
const isPage = (address: string) => address.includes('/events?');

/** Somebody who is known by another identity provider. */
async function bearerOf(app: TestApp, theirs: Awaited<ReturnType<typeof provider>>) {
  const headers = { authorization: `Bearer ${await theirs.sign(app)}` };
  // Their first request links them to their account, which is no reading.
  const { statusCode } = await (await app.another()).http.inject({ url: subscriptions, headers });
  expect(statusCode).toBe(200);
  return headers;
}

/** What an SDK sends from an app that was built before its secret was rotated. */
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

/** What a device asks of a deployment that has a release. */
async function askingForUpdate(app: TestApp, token: string): Promise<InjectOptions> {
  const home = '/v0.1/apps/ada/compass/deployments';
  const { key } = (await app.call('POST', home, { token, body: { name: 'Staging' } })).json();
  const id = '6f1c2b3a-0000-4000-8000-000000000001';
  const headers = { 'content-type': 'application/octet-stream' };
  await app.call('PUT', `${home}/Staging/uploads/${id}`, { token, headers, body: Buffer.from('a bundle') });
  const body = { release_upload: { id }, target_binary_version: '1.0.0' };
  expect((await app.call('POST', `${home}/Staging/releases`, { token, body })).statusCode).toBe(201);
  return { method: 'GET', url: `/v0.1/public/codepush/update_check?deployment_key=${key}&app_version=1.0.0` };
}

/** What an SDK asks from an app whose public group has a release. */
async function askingForRelease(app: TestApp, token: string): Promise<InjectOptions> {
  const home = '/v0.1/apps/ada/compass';
  const call = async (method: string, url: string, body: unknown, headers = {}) =>
    (await app.call(method, home + url, { token, body, headers })).json();
  await call('PUT', '/releases/uploads?file_name=a.apk', apkOf(), { 'content-type': 'application/octet-stream' });
  await app.runJobs();
  const { id } = await call('POST', '/distribution_groups', { name: 'Open' });
  await call('PATCH', '/distribution_groups/Open', { is_public: true });
  await call('POST', '/releases/1/groups', { id });
  const { app_secret } = (await app.call('GET', home, { token })).json();
  return { method: 'GET', url: `/v0.1/public/sdk/apps/${app_secret}/releases/latest` };
}

eachDatabase('what a process remembers', (dialect) => {
  test('was read from tables that are listed as remembered, whoever asks for whatever', async () => {
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
    // Asked of another process: this one is to know nothing yet.
    const all = await rememberedAddresses((await app.another()).http, bystanders);
    const addresses = [...all.filter((url) => !isPage(url)), ofOperators];
    const requests: InjectOptions[] = [...bystanders, { headers: await bearerOf(app, theirs) }].flatMap(({ headers }) =>
      addresses.map((url) => ({ method: url === ofOperators ? 'DELETE' : 'GET', url, headers }) as const),
    );
    const token = await app.userToken(ada);
    requests.push(
      await sendingWithFormerSecret(app, token),
      await askingForUpdate(app, token),
      await askingForRelease(app, token),
    );
    const behind = await tablesBehind(app);
    const remembered = new Set<string>();
    for (const request of requests) {
      const ask = () => app.http.inject(request);
      const cold = await statementsOf(app, ask);
      const warm = await statementsOf(app, ask);
      // What was read once and not again was kept.
      for (const sql of cold)
        if (!warm.has(sql)) {
          for (const table of tablesIn(sql).flatMap(behind)) if (!readByTime.has(table)) remembered.add(table);
        }
    }
    const needed = await withParents(app, remembered);
    // Both ways: a declaration that is missing is noticed, and so is one that this test could not miss.
    const declared = declaredTables().filter(isRemembered);
    expect([...needed].sort()).toEqual(declared.sort());
  });
});
