import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { withLighthouse } from '../../../test/harness/groups.ts';
import { atOnce } from '../../../test/harness/races.ts';

const org = '/v0.1/orgs/lighthouse';
const shared = `${org}/distribution_groups`;
const compassUrl = '/v0.1/apps/lighthouse/compass';
const ofCompass = `${compassUrl}/distribution_groups`;

eachDatabase('shared distribution groups', (dialect) => {
  test('do not take the name of a group that one of their apps has', async () => {
    const { ask, status, reason, names } = await withLighthouse(dialect);
    await ask('POST', ofCompass, { name: 'beta' });
    await ask('POST', shared, { name: 'Beta' });
    const both = { apps: [{ name: 'sextant' }, { name: 'compass' }] };
    expect(await reason('POST', `${shared}/beta/apps`, both)).toEqual([
      409,
      'The app lighthouse/compass has a distribution group named "Beta" of its own; rename one of them first.',
    ]);
    expect(await names(`${shared}/beta/apps`)).toEqual([]);
    expect(await status('PATCH', `${shared}/beta`, { name: 'gamma' })).toBe(200);
    expect(await status('POST', `${shared}/gamma/apps`, both)).toBe(204);
    expect(await reason('PATCH', `${shared}/gamma`, { name: 'BETA' })).toEqual([
      409,
      'The app lighthouse/compass has a distribution group named "BETA" already.',
    ]);
    expect(await status('PATCH', `${ofCompass}/beta`, { name: 'GAMMA' })).toBe(409);
    expect(await status('POST', ofCompass, { name: 'gamma' })).toBe(409);
  });

  test('hold apps of the organization, all that were asked for or none', async () => {
    const { app, ada, tokens, ask, status, reason, names } = await withLighthouse(dialect);
    await app.addApp(ada, 'dinghy');
    await ask('POST', shared, { name: 'beta' });
    const apps = `${shared}/beta/apps`;
    const these = (...list: string[]) => ({ apps: list.map((name) => ({ name })) });
    expect(await reason('POST', apps, these('compass', 'dinghy'))).toEqual([
      404,
      'No app of lighthouse "dinghy" that you can see.',
    ]);
    expect(await names(apps)).toEqual([]);
    expect(await status('POST', apps, these('compass', 'SEXTANT', 'compass'))).toBe(204);
    expect(await status('POST', apps, these('sextant'))).toBe(204);
    expect(await status('POST', apps, {})).toBe(204);
    const [first] = (await ask('GET', apps)).body;
    expect(first).toMatchObject({ name: 'compass', os: 'Android', owner: { name: 'lighthouse', type: 'org' } });
    expect(first).not.toHaveProperty('app_secret');
    // Mary is in the organization, but sees none of its apps; Grace sees compass.
    expect([await names(apps, tokens.mary), await names(apps, tokens.grace)]).toEqual([[], ['compass']]);
    expect(await reason('POST', `${apps}/bulk_delete`, these('sextant', 'compass', 'dinghy'))).toEqual([
      404,
      'No app of lighthouse "dinghy" that you can see.',
    ]);
    expect(await names(apps)).toEqual(['compass', 'sextant']);
    expect(await status('POST', `${apps}/bulk_delete`, these('sextant'))).toBe(204);
    expect(await reason('POST', `${apps}/bulk_delete`, these('sextant'))).toEqual([
      404,
      'No app of the group beta "sextant" that you can see.',
    ]);
    expect(await status('POST', apps, these(...Array.from({ length: 101 }, (_, n) => `app-${n}`)))).toBe(400);
  });

  test('get and lose an app by whoever may give that app to testers', async () => {
    const { app, compass, mary, tokens, ask, status, reason } = await withLighthouse(dialect);
    await ask('POST', shared, { name: 'beta' });
    const apps = `${shared}/beta/apps`;
    expect(await status('POST', apps, { apps: [{ name: 'compass' }] }, tokens.grace)).toBe(204);
    expect(await status('POST', apps, { apps: [{ name: 'sextant' }] }, tokens.grace)).toBe(404);
    expect(await status('POST', `${apps}/bulk_delete`, { apps: [{ name: 'compass' }] }, tokens.grace)).toBe(204);
    await app.addMember(compass, mary, 'manager');
    expect(await status('POST', apps, { apps: [{ name: 'compass' }] }, tokens.mary)).toBe(403);
    await ask('PATCH', `${compassUrl}/users/grace@example.com`, { permissions: ['viewer'] });
    expect(await reason('POST', apps, { apps: [{ name: 'compass' }] }, tokens.grace)).toEqual([
      403,
      'This needs developer permission on lighthouse/compass; you have viewer.',
    ]);
  });

  test('show in their details the apps that the caller sees, and how many there are', async () => {
    const { tokens, ask } = await withLighthouse(dialect);
    await ask('POST', shared, { name: 'beta' });
    await ask('POST', shared, { name: 'alpha' });
    await ask('POST', `${shared}/beta/apps`, { apps: [{ name: 'compass' }, { name: 'sextant' }] });
    await ask('POST', `${shared}/beta/members`, { user_emails: ['mary@example.com', 'new@example.com'] });
    const details = async (token?: string, query = '') =>
      (await ask('GET', `${org}/distribution_groups_details${query}`, undefined, token)).body.map(
        (group: { name: string; total_apps_count: number; total_users_count: number; apps: { name: string }[] }) => [
          group.name,
          group.total_apps_count,
          group.total_users_count,
          group.apps.map(({ name }) => name),
        ],
      );
    expect(await details()).toEqual([
      ['alpha', 0, 0, []],
      ['beta', 2, 2, ['compass', 'sextant']],
    ]);
    expect((await details(tokens.ada, '?apps_limit=1'))[1]).toEqual(['beta', 2, 2, ['compass']]);
    expect((await details(tokens.ada, '?apps_limit=0'))[1]).toEqual(['beta', 2, 2, []]);
    // Grace develops compass; Mary tests both, by the group.
    expect((await details(tokens.grace))[1]).toEqual(['beta', 2, 2, ['compass']]);
    expect((await details(tokens.mary))[1]).toEqual(['beta', 2, 2, ['compass', 'sextant']]);
    expect((await ask('GET', `${org}/distribution_groups_details?apps_limit=-1`)).status).toBe(400);
  });

  test.each([true, false])(
    'an app that is given away while a shared group gets it (first: %s) is not in it',
    async (addsFirst) => {
      const { app, ada, ask, tokens } = await withLighthouse(dialect);
      await app.addOrg(ada, 'jetty');
      await ask('POST', '/v0.1/orgs/lighthouse/distribution_groups', { name: 'late' });
      const url = '/v0.1/orgs/lighthouse/distribution_groups/late/apps';
      const add = async () => (await ask('POST', url, { apps: [{ name: 'sextant' }] })).status;
      const give = async () =>
        (await ask('POST', '/v0.1/apps/lighthouse/sextant/transfer/jetty', {}, tokens.ada)).status;
      const statuses = await atOnce(app, addsFirst ? [add, give] : [give, add]);
      expect(statuses).toEqual(addsFirst ? [204, 200] : [200, 404]);
      expect((await ask('GET', url)).body).toEqual([]);
    },
  );
});
