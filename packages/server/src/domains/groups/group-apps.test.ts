import { expect, test } from 'vitest';
import { withLighthouse } from '../../../test/harness/groups.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';

const org = '/v0.1/orgs/lighthouse';
const shared = `${org}/distribution_groups`;
const compassUrl = '/v0.1/apps/lighthouse/compass';
const ofCompass = `${compassUrl}/distribution_groups`;

eachDatabase('shared distribution groups', (dialect) => {
  test('do not take the name of a group of one of their apps', async () => {
    const { ask: request, status, reason, names } = await withLighthouse(dialect);
    await request('POST', ofCompass, { name: 'beta' });
    await request('POST', shared, { name: 'Beta' });
    const both = { apps: [{ name: 'sextant' }, { name: 'compass' }] };
    expect(await reason('POST', `${shared}/beta/apps`, both)).toEqual([
      409,
      'The app lighthouse/compass already has a distribution group named "Beta". Rename one of them first.',
    ]);
    expect(await names(`${shared}/beta/apps`)).toEqual([]);
    expect(await status('PATCH', `${shared}/beta`, { name: 'gamma' })).toBe(200);
    expect(await status('POST', `${shared}/gamma/apps`, both)).toBe(204);
    expect(await reason('PATCH', `${shared}/gamma`, { name: 'BETA' })).toEqual([
      409,
      'The app lighthouse/compass already has a distribution group named "BETA". Choose another name.',
    ]);
    expect(await status('PATCH', `${ofCompass}/beta`, { name: 'GAMMA' })).toBe(409);
    expect(await status('POST', ofCompass, { name: 'gamma' })).toBe(409);
  });

  test('hold apps of the organization; adding several is all or nothing', async () => {
    const { app, ada, tokens, ask: request, status, reason, names } = await withLighthouse(dialect);
    await app.addApp(ada, 'dinghy');
    await request('POST', shared, { name: 'beta' });
    const apps = `${shared}/beta/apps`;
    const these = (...list: string[]) => ({ apps: list.map((name) => ({ name })) });
    expect(await reason('POST', apps, these('compass', 'dinghy'))).toEqual([
      404,
      'No app of lighthouse "dinghy" found, or you don\'t have access to it.',
    ]);
    expect(await names(apps)).toEqual([]);
    expect(await status('POST', apps, these('compass', 'SEXTANT', 'compass'))).toBe(204);
    expect(await status('POST', apps, these('sextant'))).toBe(204);
    expect(await status('POST', apps, {})).toBe(204);
    const [first] = (await request('GET', apps)).body;
    expect(first).toMatchObject({ name: 'compass', os: 'Android', owner: { name: 'lighthouse', type: 'org' } });
    expect(first).not.toHaveProperty('app_secret');
    // Mary is in the organization, but sees none of its apps; Grace sees compass.
    expect([await names(apps, tokens.mary), await names(apps, tokens.grace)]).toEqual([[], ['compass']]);
    expect(await reason('POST', `${apps}/bulk_delete`, these('sextant', 'compass', 'dinghy'))).toEqual([
      404,
      'No app of lighthouse "dinghy" found, or you don\'t have access to it.',
    ]);
    expect(await names(apps)).toEqual(['compass', 'sextant']);
    expect(await status('POST', `${apps}/bulk_delete`, these('sextant'))).toBe(204);
    expect(await reason('POST', `${apps}/bulk_delete`, these('sextant'))).toEqual([
      404,
      'No app of the group beta "sextant" found, or you don\'t have access to it.',
    ]);
    expect(await status('POST', apps, these(...Array.from({ length: 101 }, (_, n) => `app-${n}`)))).toBe(400);
  });

  test('gain and lose an app through a user who may distribute it', async () => {
    const { app, compass, mary, tokens, ask: request, status, reason } = await withLighthouse(dialect);
    await request('POST', shared, { name: 'beta' });
    const apps = `${shared}/beta/apps`;
    expect(await status('POST', apps, { apps: [{ name: 'compass' }] }, tokens.grace)).toBe(204);
    expect(await status('POST', apps, { apps: [{ name: 'sextant' }] }, tokens.grace)).toBe(404);
    expect(await status('POST', `${apps}/bulk_delete`, { apps: [{ name: 'compass' }] }, tokens.grace)).toBe(204);
    await app.addMember(compass, mary, 'manager');
    expect(await status('POST', apps, { apps: [{ name: 'compass' }] }, tokens.mary)).toBe(403);
    await request('PATCH', `${compassUrl}/users/grace@example.com`, { permissions: ['viewer'] });
    expect(await reason('POST', apps, { apps: [{ name: 'compass' }] }, tokens.grace)).toEqual([
      403,
      'This requires developer permission on lighthouse/compass; you have viewer.',
    ]);
  });

  test('show the apps that the caller can see, and the total', async () => {
    const { tokens, ask: request } = await withLighthouse(dialect);
    await request('POST', shared, { name: 'beta' });
    await request('POST', shared, { name: 'alpha' });
    await request('POST', `${shared}/beta/apps`, { apps: [{ name: 'compass' }, { name: 'sextant' }] });
    await request('POST', `${shared}/beta/members`, { user_emails: ['mary@example.com', 'new@example.com'] });
    const details = async (token?: string, query = '') =>
      (await request('GET', `${org}/distribution_groups_details${query}`, undefined, token)).body.map(
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
    // Grace develops compass; Mary tests both, through the group.
    expect((await details(tokens.grace))[1]).toEqual(['beta', 2, 2, ['compass']]);
    expect((await details(tokens.mary))[1]).toEqual(['beta', 2, 2, ['compass', 'sextant']]);
    expect((await request('GET', `${org}/distribution_groups_details?apps_limit=-1`)).status).toBe(400);
  });

  test.each([true, false])(
    'do not include an app that is transferred while it is added (first: %s)',
    async (addsFirst) => {
      const { app, ada, ask: request, tokens } = await withLighthouse(dialect);
      await app.addOrg(ada, 'jetty');
      await request('POST', '/v0.1/orgs/lighthouse/distribution_groups', { name: 'late' });
      const url = '/v0.1/orgs/lighthouse/distribution_groups/late/apps';
      const add = async () => (await request('POST', url, { apps: [{ name: 'sextant' }] })).status;
      const transfer = async () =>
        (await request('POST', '/v0.1/apps/lighthouse/sextant/transfer/jetty', {}, tokens.ada)).status;
      const statuses = await atOnce(app, addsFirst ? [add, transfer] : [transfer, add]);
      expect(statuses).toEqual(addsFirst ? [204, 200] : [200, 404]);
      expect((await request('GET', url)).body).toEqual([]);
    },
  );
});
