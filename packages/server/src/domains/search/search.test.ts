import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { addManyPeople } from '../../../test/harness/bulk-users.ts';
import { countQueries } from '../../../test/harness/queries.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import type { User } from '../../context.ts';

interface Found {
  kind: string;
  title: string;
  detail: string;
  path: Record<string, string>;
}

const searchAll = async (app: TestApp, user: User, q: string, limit?: string): Promise<Found[]> => {
  const query = { q, ...(limit ? { limit } : {}) };
  return (await app.call('GET', '/v0.1/search', { token: await app.userToken(user), query })).json().values;
};
/** Omits operations, which are the same for all users. */
const search = async (...args: Parameters<typeof searchAll>): Promise<Found[]> =>
  (await searchAll(...args)).filter(({ kind }) => kind !== 'operation');
const inShort = (found: Found[]) => found.map(({ kind, detail }) => `${kind} ${detail}`);

eachDatabase('global search', (dialect) => {
  test('finds apps, organizations and people that the caller can see, by parts of their names', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace-light')];
    const org = await app.addOrg(ada, 'lighthouse');
    await app.addOrgApp(org, ada, 'lamp');
    await app.addToOrg(org, grace, 'member');
    expect(await search(app, ada, 'LIGHT')).toMatchObject([
      {
        kind: 'organization',
        title: 'lighthouse',
        detail: 'lighthouse',
        path: { org_name: 'lighthouse' },
      },
      { kind: 'person', detail: grace.email, path: { user_name: 'grace-light', org_name: 'lighthouse' } },
      { kind: 'app', title: 'lamp', path: { owner_name: 'lighthouse', app_name: 'lamp' } },
    ]);
    expect(inShort(await search(app, grace, 'lighthouse'))).toEqual(['organization lighthouse']);
    expect(await search(app, ada, 'lighthouse lamp')).toMatchObject([{ title: 'lamp' }]);
  });

  test('shows nothing of others, as soon as access ends', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    const org = await app.addOrg(ada, 'lighthouse');
    await app.addMember(await app.addOrgApp(org, ada, 'lamp'), grace, 'viewer');
    await app.addToOrg(org, grace, 'member');
    expect(inShort(await search(app, grace, 'lighthouse')).map((found) => found.split(' ')[0])).toEqual([
      'organization',
      'app',
    ]);
    expect(await search(app, grace, 'ada')).toHaveLength(1);
    await app.call('DELETE', '/v0.1/orgs/lighthouse/users/grace', { token: await app.userToken(ada) });
    for (const q of ['lighthouse', 'lamp', 'ada', 'a', '%']) expect([q, await search(app, grace, q)]).toEqual([q, []]);
  });

  test('finds an app by its ID or app secret, for users who can see it', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
    const { id } = await app.addApp(ada, 'lamp');
    const url = '/v0.1/apps/ada/lamp';
    const { app_secret } = (await app.call('GET', url, { token: await app.userToken(ada) })).json();
    for (const q of [id, id.toUpperCase(), app_secret]) {
      expect(inShort(await search(app, ada, q))).toEqual(['app ada/lamp · Android']);
      expect(await search(app, grace, q)).toEqual([]);
    }
    expect(await search(app, ada, id.slice(1))).toEqual([]);
  });

  test('administrators find all users, but only their own apps', async () => {
    const app = await testApp(dialect);
    const [root, ada] = [await app.addUser('root', { isAdmin: true }), await app.addUser('ada')];
    await app.addApp(ada, 'adas-compass');
    expect(await search(app, root, 'ada')).toMatchObject([{ kind: 'person', path: { user_name: 'ada' } }]);
  });

  test('ranks prefix matches first, with a few results of each kind', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    for (const name of ['a-ferry', 'ferry-b', 'b-ferry', 'ferry-a']) await app.addApp(ada, name);
    const titles = async (limit?: string) => (await search(app, ada, 'ferry', limit)).map(({ title }) => title);
    expect(await titles()).toEqual(['ferry-a', 'ferry-b', 'a-ferry', 'b-ferry']);
    expect(await titles('3')).toEqual(['ferry-a', 'ferry-b', 'a-ferry']);
    for (const name of ['ferry-c', 'ferry-d', 'ferry-e']) await app.addApp(ada, name);
    expect(await titles()).toHaveLength(6);
    expect(await titles('20')).toHaveLength(7);
  });

  test('finds people by each name and address among many, prefix matches first, and no others', async () => {
    const app = await testApp(dialect);
    const [ada, grace, iris] = [await app.addUser('ada'), await app.addUser('grace'), await app.addUser('iris')];
    const [zoe, root] = [await app.addUser('zoe-sail'), await app.addUser('root', { isAdmin: true })];
    const [org, other] = [await app.addOrg(ada, 'lighthouse'), await app.addOrg(ada, 'harbour')];
    for (const user of [grace, zoe]) await app.addToOrg(org, user, 'member');
    await app.addToOrg(other, grace, 'member');
    const rename = (id: string, name: string) =>
      app.database.transaction((db) =>
        db.query((q) =>
          q
            .updateTable('owners')
            .set({ display_name: name, display_name_key: name.toLowerCase() })
            .where('id', '=', id),
        ),
      );
    await rename(grace.id, `100%_Gr\\ace "o'`);
    await rename(iris.id, `100x_Gr/ace`);
    const found = async (who: User, q: string) =>
      (await search(app, who, q, '20')).filter(({ kind }) => kind === 'person').map(({ path }) => Object.values(path));
    const look = async () => {
      const queries = [
        'grace',
        'GRACE@example',
        'zoe grace',
        '0%_gr',
        '%',
        '_',
        '"o',
        '\\',
        'ce 100%',
        'sail',
        'iris',
        'adA',
      ];
      return Object.fromEntries(await Promise.all(queries.map(async (q) => [q, await found(ada, q)] as const)));
    };
    const few = await look();
    const [graceFound, zoeFound] = [
      ['grace', 'harbour'],
      ['zoe-sail', 'lighthouse'],
    ];
    expect(few).toMatchObject({
      grace: [graceFound],
      'GRACE@example': [graceFound],
      'zoe grace': [],
      '0%_gr': [graceFound],
      '%': [graceFound],
      _: [graceFound],
      '"o': [graceFound],
      '\\': [graceFound],
      'ce 100%': [graceFound],
      sail: [zoeFound],
      iris: [],
      adA: [['ada', 'harbour']],
    });
    await addManyPeople(app, org, 10_000);
    expect(await look()).toEqual({ ...few, sail: expect.any(Array) });
    const sailors = await found(ada, 'sail');
    expect(sailors).toHaveLength(20);
    expect(sailors.slice(0, 2)).toEqual([
      ['sailor-0', 'lighthouse'],
      ['sailor-1', 'lighthouse'],
    ]);
    expect(await found(ada, 'sail zoe')).toEqual([zoeFound]);
    expect(await found(ada, 'sailor-4321@')).toEqual([['sailor-4321', 'lighthouse']]);
    expect(await found(iris, 'sailor')).toEqual([]);
    expect(await found(root, 'gr/ace')).toEqual([['iris']]);
    await app.call('DELETE', '/v0.1/orgs/lighthouse/users/zoe-sail', { token: await app.userToken(ada) });
    expect(await found(ada, 'zoe')).toEqual([]);
  });

  test('an empty search finds nothing, and limits apply', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    expect([await search(app, ada, ''), await search(app, ada, ' ')]).toEqual([[], []]);
    const token = await app.userToken(ada);
    const sendQuery = (q: string) => app.call('GET', '/v0.1/search', { token, query: { q } });
    const longest = `a b c d e f %g ${'_'.repeat(85)}`;
    expect([(await sendQuery('a')).statusCode, longest.length, (await sendQuery(longest)).statusCode]).toEqual([
      200, 100, 200,
    ]);
    expect(await countQueries(app, () => sendQuery(longest))).toBe(await countQueries(app, () => sendQuery('zyx')));
    for (const query of ['', `q=${'a'.repeat(101)}`, 'q=a&limit=21', 'q=a+b+c+d+e+f+g+h+i']) {
      expect((await app.call('GET', '/v0.1/search', { token, query })).statusCode).toBe(400);
    }
  });
});
