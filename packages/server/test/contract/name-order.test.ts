import { expect, test } from 'vitest';
import { testApp } from '../harness/app.ts';
import { eachDatabase } from '../harness/services/databases.ts';

const names = ['beta', 'Alpha', 'charlie', 'Delta'];
const inOrder = ['Alpha', 'beta', 'charlie', 'Delta'];

eachDatabase('sorts names regardless of their case', (dialect) => {
  test('in every list that is ordered by name', async () => {
    const app = await testApp(dialect);
    const root = await app.addUser('root', { isAdmin: true });
    const token = await app.userToken(root);
    const people = [];
    for (const name of names) people.push(await app.addUser(name));
    for (const name of names) await app.addOrg(root, `${name}-org`);
    const lighthouse = await app.addOrg(root, 'lighthouse');
    const apps = [];
    for (const name of names) apps.push(await app.addOrgApp(lighthouse, root, name));
    for (const person of people) await app.addToOrg(lighthouse, person, 'collaborator');
    for (const name of names) await app.addTeam(lighthouse, root, name, { users: people, apps });
    const post = (url: string, body: object) => app.call('POST', url, { token, body });
    const org = '/v0.1/orgs/lighthouse';
    const compass = `/v0.1/apps/lighthouse/alpha`;
    for (const name of names) await post(`${org}/service_accounts`, { name: `${name}-robot`, display_name: name });
    for (const name of names) await post(`${compass}/distribution_groups`, { name: `${name}-own` });
    for (const name of names) await post(`${org}/distribution_groups`, { name });
    const group = `${org}/distribution_groups/alpha`;
    await post(`${group}/apps`, { apps: names.map((name) => ({ name })) });
    await post(`${group}/members`, { user_emails: people.map(({ email }) => email) });
    const lists = [
      '/v0.1/admin/users',
      '/v0.1/orgs',
      '/v0.1/apps',
      `${org}/apps`,
      `${org}/users`,
      `${org}/teams`,
      `${org}/teams/alpha/users`,
      `${org}/teams/alpha/apps`,
      `${compass}/teams`,
      `${compass}/users`,
      `${org}/service_accounts`,
      `${compass}/distribution_groups`,
      `${org}/distribution_groups`,
      `${group}/apps`,
      `${group}/members`,
    ];
    for (const url of lists) {
      const answer = (await app.call('GET', url, { token })).json();
      const rows: { name: string }[] = Array.isArray(answer) ? answer : answer.values;
      const known = rows
        .map(({ name }) => name.replace(/-(org|own|robot)$/, ''))
        .filter((name) => names.includes(name));
      // Service accounts are members of the organization, too.
      expect([url, [...new Set(known)]]).toEqual([url, inOrder]);
    }
  });
});
