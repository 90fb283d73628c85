import { expect, test } from 'vitest';
import { password, testApp } from '../../../../test/harness/app.ts';
import { changes } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import {
  addProvider,
  allowsLoopback,
  openCookieBrowser,
  signInProvider,
} from '../../../../test/harness/sign-in-provider.ts';
import { readGroups } from './mapped-memberships.ts';

const MAPPINGS = '/v0.1/admin/identity_providers/corp/group_mappings';

test.each([
  [{ groups: ['a', 'b'] }, ['a', 'b']],
  [{ groups: 'a' }, ['a']],
  [{ groups: ['a', 1, null, { b: 1 }] }, ['a']],
  [{}, []],
  [{ groups: [], _claim_names: { groups: 'src1' } }, []],
  [{ _claim_names: { groups: 'src1' } }, 'unknown'],
  [{ _claim_names: { roles: 'src1' } }, []],
  [{ _claim_names: 'groups' }, []],
])('reads the groups in %j', (claims, groups) => {
  expect(readGroups(claims, 'groups')).toEqual(groups);
});

/** An organization with a team and a distribution group, and a provider that creates accounts. */
async function setUp(dialect: 'sqlite' | 'postgres') {
  const app = await testApp(dialect, allowsLoopback);
  const ada = await app.addUser('ada', { isAdmin: true });
  const token = await app.userToken(ada);
  const call = async (method: string, url: string, body?: object) => {
    const response = await app.call(method, url, { token, ...(body ? { body } : {}) });
    expect([url, response.statusCode < 300 ? 'ok' : response.body]).toEqual([url, 'ok']);
    return response.statusCode === 204 ? undefined : response.json();
  };
  await call('POST', '/v0.1/orgs', { name: 'lighthouse', display_name: 'Lighthouse' });
  await call('POST', '/v0.1/orgs/lighthouse/teams', { name: 'mobile', display_name: 'Mobile' });
  await call('POST', '/v0.1/orgs/lighthouse/distribution_groups', { name: 'Field', display_name: 'Field' });
  const provider = await signInProvider(app);
  await addProvider(app, provider, { createsAccounts: true });
  const map = (body: object) => call('POST', MAPPINGS, { organization: 'lighthouse', ...body });
  const browser = openCookieBrowser(app);
  const signIn = async (groups: unknown, more: object = {}) => {
    provider.claims = { ...(groups === undefined ? {} : { groups }), ...more };
    expect(await browser.signIn(provider)).toBe('/');
    return browser.whoAmI();
  };
  /** Role, team membership and distribution group membership of a person. */
  const memberships = async (name = 'grace-hopper') => {
    const members = (await call('GET', '/v0.1/orgs/lighthouse/users')) as { name: string; role: string }[];
    const team = (await call('GET', '/v0.1/orgs/lighthouse/teams/mobile/users')) as { name: string }[];
    const testers = (await call('GET', '/v0.1/orgs/lighthouse/distribution_groups/Field/members')) as {
      name: string | null;
    }[];
    return [
      members.find((member) => member.name === name)?.role,
      team.some((member) => member.name === name),
      testers.some((member) => member.name === name),
    ];
  };
  return { app, ada, token, call, provider, map, browser, signIn, memberships };
}

eachDatabase('group mappings', (dialect) => {
  test('add memberships at sign-in, and end those that they added', async () => {
    const { app, map, signIn, memberships } = await setUp(dialect);
    await map({ group: 'staff', team: 'mobile' });
    await map({ group: 'testers', distribution_group: 'Field' });
    await map({ group: 'leads', role: 'collaborator' });
    const name = await signIn(['staff', 'testers', 'others']);
    expect(await memberships(name)).toEqual(['member', true, true]);
    await signIn(['staff', 'leads']);
    expect(await memberships(name)).toEqual(['collaborator', true, false]);
    await signIn(['staff']);
    expect(await memberships(name)).toEqual(['member', true, false]);
    await signIn(undefined);
    expect(await memberships(name)).toEqual([undefined, false, false]);
    const joined = await changes(app, 'org.add_member');
    expect(joined.map(([, person]) => person)).toEqual([name]);
    expect(await changes(app, 'identity_provider.apply_groups')).toHaveLength(4);
    // A sign-in that changes nothing is not recorded.
    await signIn(undefined);
    expect(await changes(app, 'identity_provider.apply_groups')).toHaveLength(4);
  });

  test('leave memberships that were added or changed by hand', async () => {
    const { call, map, signIn, memberships } = await setUp(dialect);
    await map({ group: 'staff', team: 'mobile' });
    const name = await signIn(['staff']);
    await call('PATCH', `/v0.1/orgs/lighthouse/users/${name}`, { role: 'admin' });
    await signIn([]);
    expect(await memberships(name)).toEqual(['admin', false, false]);
    await call('POST', '/v0.1/orgs/lighthouse/teams/mobile/users', { user_email: 'grace@example.com' });
    await signIn(['staff']);
    await signIn([]);
    expect(await memberships(name)).toEqual(['admin', true, false]);
  });

  test('change nothing if the provider sends a reference instead of the groups, and record that', async () => {
    const { app, map, signIn, memberships } = await setUp(dialect);
    await map({ group: 'staff', team: 'mobile' });
    const name = await signIn(['staff']);
    await signIn(undefined, { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } });
    expect(await memberships(name)).toEqual(['member', true, false]);
    expect(await changes(app, 'identity_provider.skip_groups')).toHaveLength(1);
    expect(await app.logged()).toContain('sent a reference instead of the groups');
  });

  test('keep the last admin of an organization, and the sign-in works', async () => {
    const { call, map, signIn } = await setUp(dialect);
    await map({ group: 'leads', role: 'admin' });
    const name = await signIn(['leads']);
    await call('PATCH', '/v0.1/orgs/lighthouse/users/ada', { role: 'member' });
    await signIn([]);
    const members = (await call('GET', '/v0.1/orgs/lighthouse/users')) as { name: string; role: string }[];
    expect(members.find((member) => member.name === name)?.role).toBe('admin');
  });

  test('are applied when an account is linked, too', async () => {
    const { app, map, provider, browser, memberships } = await setUp(dialect);
    await app.addUser('grace');
    await map({ group: 'staff', team: 'mobile' });
    provider.claims = { groups: ['staff'] };
    expect(await browser.signIn(provider)).toBe('/link-account');
    expect((await browser.send('POST', '/v0.1/sign_in/link', { login: 'grace', password })).statusCode).toBe(201);
    expect(await memberships('grace')).toEqual(['member', true, false]);
  });

  test('end with the mapping at the next sign-in', async () => {
    const { call, map, signIn, memberships } = await setUp(dialect);
    const { id } = await map({ group: 'staff', team: 'mobile' });
    const name = await signIn(['staff']);
    expect(await call('GET', MAPPINGS)).toMatchObject([{ id, group: 'staff', role: 'member', team: 'mobile' }]);
    await call('DELETE', `${MAPPINGS}/${id}`);
    await signIn(['staff']);
    expect(await memberships(name)).toEqual([undefined, false, false]);
  });

  test('are set by administrators of the server only, and name what exists', async () => {
    const { app, token } = await setUp(dialect);
    const mallory = await app.addUser('mallory');
    const own = await app.userToken(mallory);
    await app.call('POST', '/v0.1/orgs', { token: own, body: { name: 'pirates', display_name: 'Pirates' } });
    const create = (body: object, as = token) => app.call('POST', MAPPINGS, { token: as, body });
    const entry = { group: 'staff', organization: 'lighthouse', role: 'admin' };
    expect((await create(entry, own)).statusCode).toBe(403);
    expect((await create({ ...entry, organization: 'nowhere' })).statusCode).toBe(404);
    expect((await create({ ...entry, organization: 'pirates', team: 'mobile' })).statusCode).toBe(404);
    expect((await create({ ...entry, organization: 'pirates', distribution_group: 'Field' })).statusCode).toBe(404);
    expect((await create({ ...entry, organization: 'ada' })).statusCode).toBe(404);
    expect((await create({ ...entry, role: 'owner' })).statusCode).toBe(400);
    const elsewhere = MAPPINGS.replace('corp', 'none');
    expect((await app.call('GET', elsewhere, { token })).statusCode).toBe(404);
  });

  test('are per provider: groups of one have no effect for another', async () => {
    const { app, map, signIn, memberships, browser } = await setUp(dialect);
    await map({ group: 'staff', team: 'mobile' });
    const other = await signInProvider(app);
    await addProvider(app, other, { name: 'partner', createsAccounts: true });
    other.person = { sub: 'm-1', email: 'mallory@example.com', email_verified: true };
    other.claims = { groups: ['staff'] };
    expect(await browser.signIn(other, { name: 'partner' })).toBe('/');
    expect(await memberships(await browser.whoAmI())).toEqual([undefined, false, false]);
    expect(await memberships(await signIn(['staff']))).toEqual(['member', true, false]);
  });
});
