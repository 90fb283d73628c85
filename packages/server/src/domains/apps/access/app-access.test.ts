import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';

interface Way {
  kind: string;
  permission: string;
  name?: string;
}
interface Row {
  name: string;
  permission: string;
  is_owner: boolean;
  via: Way[];
}

const inShort = ({ name, permission, via }: Row) =>
  `${name} ${permission}: ${via.map((way) => `${way.kind}${way.name ? ` ${way.name}` : ''} ${way.permission}`).join(', ')}`;

/**
 * Ada is admin of the organization, grace is in two teams and a direct member, linus in a team only, mary a direct member
 * only.
 */
async function createFixtures(dialect: DialectName) {
  const app = await testApp(dialect);
  const [ada, grace, linus, mary] = [
    await app.addUser('ada'),
    await app.addUser('grace'),
    await app.addUser('linus'),
    await app.addUser('mary'),
  ];
  const org = await app.addOrg(ada, 'lighthouse');
  const compass = await app.addOrgApp(org, ada, 'compass');
  for (const person of [grace, linus]) await app.addToOrg(org, person, 'member');
  await app.addTeam(org, ada, 'crew', { users: [grace, linus], apps: [compass] });
  await app.addTeam(org, ada, 'deck', { users: [grace], apps: [compass] });
  await app.addMember(compass, grace, 'viewer');
  await app.addMember(compass, mary, 'viewer');
  const list = async (query: Record<string, string> = {}, user = ada) =>
    (await app.call('GET', '/v0.1/apps/lighthouse/compass/access', { token: await app.userToken(user), query })).json();
  return { app, list, ada, grace, linus, mary };
}

eachDatabase('access to an app', (dialect) => {
  test('is listed with every access path, strongest first', async () => {
    const { list } = await createFixtures(dialect);
    const { values, total, next_cursor } = await list();
    expect(values.map(inShort)).toEqual([
      'ada manager: direct manager, organization lighthouse manager',
      'grace developer: team crew developer, team deck developer, direct viewer',
      'linus developer: team crew developer',
      'mary viewer: direct viewer',
    ]);
    expect([total, next_cursor]).toEqual([4, undefined]);
  });

  test('is listed in pages, each user once, and only the first page counts the total', async () => {
    const { list } = await createFixtures(dialect);
    for (const sort of ['display_name', 'name', 'email', 'permission']) {
      for (const order of ['asc', 'desc']) {
        const seen: string[] = [];
        const totals: unknown[] = [];
        for (let cursor: string | undefined = ''; cursor !== undefined; ) {
          const page: { values: Row[]; total?: number; next_cursor?: string } = await list({
            sort,
            order,
            limit: '1',
            ...(cursor ? { cursor } : {}),
          });
          seen.push(...page.values.map(({ name }) => name));
          totals.push(page.total);
          cursor = page.next_cursor;
        }
        const names = ['ada', 'grace', 'linus', 'mary'];
        if (sort !== 'permission') expect(seen).toEqual(order === 'asc' ? names : names.toReversed());
        else expect([seen.toSorted(), seen.at(order === 'asc' ? 0 : -1)]).toEqual([names, 'mary']);
        expect(totals).toEqual([4, undefined, undefined, undefined]);
      }
    }
  });

  test('is searched by names and addresses; wildcards of the database match literally', async () => {
    const { list } = await createFixtures(dialect);
    const found = async (search: string) => (await list({ search })).values.map(({ name }: Row) => name);
    expect(await found('GRÂCE')).toEqual(['grace']);
    expect(await found('example li')).toEqual(['linus']);
    for (const search of ['%', '_', '\\', '%a', "a' or '1", 'a"', '(', '☃'])
      expect([search, await found(search)]).toEqual([search, []]);
    expect(await list({ search: 'nobody' })).toEqual({ values: [], total: 0 });
  });

  test('is not listed with a cursor of another order or list; the error says what to do', async () => {
    const { list } = await createFixtures(dialect);
    const { next_cursor: cursor } = await list({ limit: '1', sort: 'name' });
    const message = async (query: Record<string, string>) => (await list(query)).error.message;
    expect(await message({ cursor, sort: 'permission' })).toBe(
      'cursor belongs to a list with a different order, not permission asc. Omit it to start from the first page.',
    );
    expect(await message({ cursor, sort: 'name', order: 'desc' })).toContain('not name desc');
    const forged = Buffer.from(JSON.stringify(['permission asc', 'manager', 'x'])).toString('base64url');
    expect(await message({ cursor: forged, sort: 'permission' })).toContain('Invalid cursor');
  });

  test('marks the owner', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    await app.addMember(await app.addApp(ada, 'compass'), await app.addUser('grace'), 'manager');
    const { values } = (
      await app.call('GET', '/v0.1/apps/ada/compass/access', { token: await app.userToken(ada) })
    ).json();
    expect(values.map(({ name, is_owner }: Row) => [name, is_owner])).toEqual([
      ['ada', true],
      ['grace', false],
    ]);
  });

  test('remains after removing one path and ends with the last one', async () => {
    const { app, list, ada } = await createFixtures(dialect);
    const token = await app.userToken(ada);
    await app.call('DELETE', '/v0.1/orgs/lighthouse/teams/crew', { token });
    expect((await list()).values.map(inShort).slice(1)).toEqual([
      'grace developer: team deck developer, direct viewer',
      'mary viewer: direct viewer',
    ]);
  });
});
