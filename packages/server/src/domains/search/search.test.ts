import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
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
/** Operations are the same for everybody. */
const search = async (...asked: Parameters<typeof searchAll>): Promise<Found[]> =>
  (await searchAll(...asked)).filter(({ kind }) => kind !== 'operation');
const inShort = (found: Found[]) => found.map(({ kind, detail }) => `${kind} ${detail}`);

eachDatabase('the search over everything', (dialect) => {
  test('finds apps, organizations and people that the caller can see, with the parts of their addresses', async () => {
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

  test('shows nothing of others, from the moment on that a right is taken away', async () => {
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

  test('administrators find everybody, and no apps that are not theirs', async () => {
    const app = await testApp(dialect);
    const [root, ada] = [await app.addUser('root', { isAdmin: true }), await app.addUser('ada')];
    await app.addApp(ada, 'adas-compass');
    expect(await search(app, root, 'ada')).toMatchObject([{ kind: 'person', path: { user_name: 'ada' } }]);
  });

  test('what begins with the word comes first, and of each kind there are a few', async () => {
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

  test('nothing is found for nothing, and limits hold', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    expect([await search(app, ada, ''), await search(app, ada, ' ')]).toEqual([[], []]);
    const token = await app.userToken(ada);
    for (const query of ['', `q=${'a'.repeat(101)}`, 'q=a&limit=21', 'q=a+b+c+d+e+f+g+h+i']) {
      expect((await app.call('GET', '/v0.1/search', { token, query })).statusCode).toBe(400);
    }
  });
});
