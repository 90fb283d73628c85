import { CompiledQuery } from 'kysely';
import { expect, test, vi } from 'vitest';
import type { DialectName } from '../../src/db/connection.ts';
import { isRemembered } from '../../src/db/remembered-tables.ts';
import { type TestApp, testApp } from '../harness/app.ts';
import { eachDatabase } from '../harness/databases.ts';
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

/** Runs some work, and gives the SQL that it read with. */
async function statementsOf({ database }: TestApp, work: () => Promise<unknown>): Promise<Set<string>> {
  const spy = vi.spyOn(database, 'run');
  await work();
  const statements = new Set(spy.mock.calls.map(([{ sql }]) => sql));
  spy.mockRestore();
  return statements;
}

/** Rest on a version of their own. */
const isPage = (address: string) => address.includes('/events?');

eachDatabase('what a process remembers', (dialect) => {
  test('was read from tables that are listed as remembered, whoever asks for whatever', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    const grace = await app.addUser('grace');
    const org = await app.addOrg(ada, 'lighthouse');
    await app.addToOrg(org, grace, 'member');
    await app.addOrgApp(org, ada, 'buoy');
    await app.addMember(await app.addApp(ada, 'compass'), grace, 'viewer');
    await app.addSubscription('5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11', 'lighthouse');
    const bystanders = await addBystanders(
      app,
      { ada: ['all', 'session'], grace: ['viewer', 'session', 'OAuth'] },
      { owner: 'ada', app: 'compass' },
    );
    // Asked of another process: this one is to know nothing yet.
    const all = await rememberedAddresses((await app.another()).http, bystanders);
    const addresses = all.filter((url) => !isPage(url));
    const behind = await tablesBehind(app);
    const remembered = new Set<string>();
    for (const { headers } of bystanders) {
      for (const url of addresses) {
        const ask = () => app.http.inject({ url, headers });
        const cold = await statementsOf(app, ask);
        const warm = await statementsOf(app, ask);
        // What was read once and not again was kept.
        for (const sql of cold)
          if (!warm.has(sql)) for (const table of tablesIn(sql).flatMap(behind)) remembered.add(table);
      }
    }
    const expected = ['api_tokens', 'app_members', 'apps', 'oauth_consents', 'org_members', 'sessions', 'signing_keys'];
    expect([...remembered]).toEqual(
      expect.arrayContaining([
        ...expected,
        'subscriptions',
        'users',
        'team_apps',
        'distribution_group_members',
        'app_subscriptions',
      ]),
    );
    expect([...remembered].filter((table) => !isRemembered(table))).toEqual([]);
  });
});
