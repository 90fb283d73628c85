import { expect, test } from 'vitest';
import type { TestApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { withLighthouse } from '../../../test/harness/groups.ts';
import { atOnce } from '../../../test/harness/races.ts';

const org = '/v0.1/orgs/lighthouse';
const shared = `${org}/distribution_groups`;
const compassUrl = '/v0.1/apps/lighthouse/compass';
const ofCompass = `${compassUrl}/distribution_groups`;
const at = (base: string, name: string) => `${base}/${encodeURIComponent(name)}`;

const events = async (app: TestApp) =>
  app.database.query((q) =>
    q
      .selectFrom('audit_events')
      .select(['action', 'subject_name', 'org_id', 'app_id', 'before', 'after'])
      .where('action', 'like', 'group.%')
      .orderBy('id'),
  );

eachDatabase('distribution groups', (dialect) => {
  test.each([
    ['of an app', ofCompass, 200, 204],
    ['of an organization', shared, 201, 200],
  ])('%s are created, listed by name, read, renamed, made public and deleted', async (_whose, url, listed, deleted) => {
    const { ask, status, names } = await withLighthouse(dialect);
    const made = await ask('POST', url, { name: 'Beta divers' });
    expect(made).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        name: 'Beta divers',
        display_name: 'Beta divers',
        origin: 'appcenter',
        is_public: false,
      },
    });
    await ask('POST', url, { name: 'alpha', display_name: 'The first' });
    expect([await status('GET', url), await names(url)]).toEqual([listed, ['alpha', 'Beta divers']]);
    expect((await ask('GET', at(url, 'BETA divers'))).body).toEqual(made.body);

    const renamed = await ask('PATCH', at(url, 'Beta divers'), { name: 'Gamma divers', is_public: true });
    const after = { ...made.body, name: 'Gamma divers', display_name: 'Gamma divers', is_public: true };
    expect(renamed).toEqual({ status: 200, body: after });
    expect((await ask('PATCH', at(url, 'alpha'), { name: 'Alpha' })).body).toMatchObject({
      name: 'Alpha',
      display_name: 'The first',
    });
    expect((await ask('PATCH', at(url, 'Gamma divers'), {})).body).toEqual(after);
    expect([await status('GET', at(url, 'Beta divers')), await names(url)]).toEqual([404, ['Alpha', 'Gamma divers']]);

    expect(await ask('DELETE', at(url, 'gamma divers'))).toEqual({ status: deleted, body: undefined });
    expect(await status('DELETE', at(url, 'gamma divers'))).toBe(404);
    expect(await names(url)).toEqual(['Alpha']);
  });

  test.each(['Tauchgruppe Überlingen', 'テスター', 'a/b', '100% sure', 'A+B? #1', '👩‍🚀'.repeat(20), 'x'.repeat(128)])(
    'may be named %j',
    async (name) => {
      const { ask, status } = await withLighthouse(dialect);
      for (const url of [ofCompass, shared]) {
        expect((await ask('POST', url, { name })).body.name).toBe(name);
        expect((await ask('GET', at(url, name))).body.name).toBe(name);
        expect(await status('GET', `${at(url, name)}/members`)).toBe(200);
        expect(await status('POST', url, { name: name.toUpperCase() })).toBe(409);
      }
    },
  );

  test('are the same whether an accent is a letter of its own or not', async () => {
    const { status } = await withLighthouse(dialect);
    expect(await status('POST', ofCompass, { name: 'Caf\u00e9' })).toBe(201);
    expect(await status('GET', at(ofCompass, 'CAFE\u0301'))).toBe(200);
    expect(await status('POST', ofCompass, { name: 'cafe\u0301' })).toBe(409);
  });

  test.each([
    [{ name: '' }],
    [{ name: '  ' }],
    [{ name: ' padded' }],
    [{ name: 'two\nlines' }],
    [{ name: '..' }],
    [{ name: 'x'.repeat(129) }],
    [{ name: 7 }],
    [{ display_name: 'nameless' }],
    [{ name: 'fine', display_name: '' }],
  ])('%j is refused', async (body) => {
    const { status } = await withLighthouse(dialect);
    for (const url of [ofCompass, shared]) expect([url, await status('POST', url, body)]).toEqual([url, 400]);
    if (!('name' in body) || 'display_name' in body) return;
    await status('POST', ofCompass, { name: 'beta' });
    expect(await status('PATCH', `${ofCompass}/beta`, body)).toBe(400);
  });

  test('have names that are unique for each app and each organization, and for no more', async () => {
    const { status, reason } = await withLighthouse(dialect);
    for (const url of [ofCompass, shared, '/v0.1/apps/lighthouse/sextant/distribution_groups']) {
      expect(await status('POST', url, { name: 'beta' })).toBe(201);
    }
    expect(await reason('POST', ofCompass, { name: 'BETA' })).toEqual([
      409,
      'lighthouse/compass has a distribution group named "BETA" already.',
    ]);
    await status('POST', shared, { name: 'alpha' });
    expect(await reason('PATCH', `${shared}/alpha`, { name: 'Beta' })).toEqual([
      409,
      'lighthouse has a distribution group named "Beta" already.',
    ]);
    await status('POST', ofCompass, { name: 'alpha' });
    expect(await status('PATCH', `${ofCompass}/alpha`, { name: 'Beta' })).toBe(409);
  });

  const races: [string, (ask: Ask) => (() => ReturnType<Ask>)[]][] = [
    [
      'two creations',
      (ask: Ask) => [() => ask('POST', ofCompass, { name: 'beta' }), () => ask('POST', ofCompass, { name: 'Beta' })],
    ],
    [
      'two shared creations',
      (ask: Ask) => [() => ask('POST', shared, { name: 'beta' }), () => ask('POST', shared, { name: 'Beta' })],
    ],
    [
      'two renames',
      (ask: Ask) => [
        () => ask('PATCH', `${ofCompass}/one`, { name: 'beta' }),
        () => ask('PATCH', `${ofCompass}/two`, { name: 'beta' }),
      ],
    ],
    [
      'a creation and the rename of a shared group of the app',
      (ask: Ask) => [
        () => ask('POST', ofCompass, { name: 'beta' }),
        () => ask('PATCH', `${shared}/three`, { name: 'beta' }),
      ],
    ],
    [
      'a rename and adding the app to a shared group',
      (ask: Ask) => [
        () => ask('PATCH', `${ofCompass}/one`, { name: 'four' }),
        () => ask('POST', `${shared}/four/apps`, { apps: [{ name: 'compass' }] }),
      ],
    ],
  ];

  test.each(
    races.flatMap(([what, race]) => [
      [what, race] as const,
      [`${what}, the other way round,`, (ask: Ask) => race(ask).toReversed()] as const,
    ]),
  )('when %s want one name at once, one wins and the other gets 409', async (_what, race) => {
    const { app, ask, status, names } = await withLighthouse(dialect);
    for (const name of ['one', 'two']) await status('POST', ofCompass, { name });
    for (const name of ['three', 'four']) await status('POST', shared, { name });
    await status('POST', `${shared}/three/apps`, { apps: [{ name: 'compass' }] });
    const [first, second] = (await atOnce(app, race(ask))).map((answer) => answer.status);
    expect([first, second]).toEqual([expect.toSatisfy((code) => code < 300), 409]);
    const all = (await names(ofCompass)).map((name) => name.toLowerCase());
    expect(new Set(all).size).toBe(all.length);
    expect(await app.logged()).not.toContain('unexpected error');
  });

  test('that are shared are among the groups of their apps, and are changed at their own address only', async () => {
    const { ask, status, reason, names } = await withLighthouse(dialect);
    await ask('POST', shared, { name: 'Beta divers' });
    await ask('POST', ofCompass, { name: 'alpha' });
    expect(await names(ofCompass)).toEqual(['alpha']);
    const apps = `${at(shared, 'Beta divers')}/apps`;
    expect(await status('POST', apps, { apps: [{ name: 'Compass' }] })).toBe(204);
    expect(await names(ofCompass)).toEqual(['alpha', 'Beta divers']);
    const there = at(ofCompass, 'beta divers');
    expect((await ask('GET', there)).body).toEqual((await ask('GET', at(shared, 'Beta divers'))).body);
    expect(await status('GET', `${there}/members`)).toBe(200);
    const why =
      '"Beta divers" is a shared group of lighthouse; change it at /v0.1/orgs/lighthouse/distribution_groups/Beta%20divers.';
    const user_emails = ['eve@example.com'];
    expect(await reason('PATCH', there, { is_public: true })).toEqual([409, why]);
    expect(await reason('DELETE', there)).toEqual([409, why]);
    expect(await reason('POST', `${there}/members`, { user_emails })).toEqual([409, why]);
    expect(await reason('POST', `${there}/members/bulk_delete`, { user_emails })).toEqual([409, why]);
    expect(await reason('POST', `${there}/resend_invite`, { user_emails })).toEqual([409, why]);
    expect(await status('GET', at(shared, 'alpha'))).toBe(404);
  });

  test('are recorded with every change, for the organization and for the app', async () => {
    const { app, lighthouse, compass, ask } = await withLighthouse(dialect);
    await ask('POST', ofCompass, { name: 'beta' });
    await ask('PATCH', `${ofCompass}/beta`, { is_public: true });
    await ask('PATCH', `${ofCompass}/beta`, { is_public: true });
    await ask('POST', `${ofCompass}/beta/members`, { user_emails: ['grace@example.com', 'new@example.com', 'no'] });
    await ask('POST', `${ofCompass}/beta/resend_invite`, { user_emails: ['new@example.com'] });
    await ask('POST', `${ofCompass}/beta/members/bulk_delete`, { user_emails: ['new@example.com', 'no'] });
    await ask('DELETE', `${ofCompass}/beta`);
    await ask('POST', shared, { name: 'gamma' });
    await ask('POST', `${shared}/gamma/apps`, { apps: [{ name: 'compass' }] });
    await ask('POST', `${shared}/gamma/apps/bulk_delete`, { apps: [{ name: 'compass' }] });
    const all = await events(app);
    expect(all.map(({ action, subject_name, app_id }) => [action, subject_name, app_id])).toEqual([
      ...['create', 'update', 'add_user', 'add_user', 'resend_invite', 'remove_user', 'delete'].map((word) => [
        `group.${word}`,
        'lighthouse/compass/beta',
        compass.id,
      ]),
      ['group.create', 'lighthouse/gamma', null],
      ['group.add_app', 'lighthouse/gamma', compass.id],
      ['group.remove_app', 'lighthouse/gamma', compass.id],
    ]);
    for (const { org_id } of all) expect(org_id).toBe(lighthouse.id);
    expect(JSON.parse(all[1]?.before ?? '')).toEqual({ name: 'beta', is_public: false });
    expect(JSON.parse(all[1]?.after ?? '')).toEqual({ name: 'beta', is_public: true });
    expect(JSON.parse(all[2]?.after ?? '')).toEqual({ email: 'grace@example.com', invite_pending: false });
    expect(JSON.parse(all[3]?.after ?? '')).toEqual({ email: 'new@example.com', invite_pending: true });
    const token = await app.mailedToken('new@example.com', 'group');
    expect([token.length, JSON.stringify(all)]).toEqual([43, expect.not.stringContaining(token)]);
    const ofApp = (await ask('GET', `${compassUrl}/audit?action=group`)).body.values;
    expect(ofApp).toHaveLength(9);
  });

  test('go with their app and with their organization', async () => {
    const { app, ask, status } = await withLighthouse(dialect);
    for (const url of [ofCompass, shared]) {
      await ask('POST', url, { name: 'beta' });
      await ask('POST', `${url}/beta/members`, { user_emails: ['grace@example.com', 'new@example.com'] });
    }
    expect(await status('DELETE', compassUrl)).toBe(204);
    const left = () => app.database.query((q) => q.selectFrom('distribution_groups').select('name'));
    // The shared group and the collaborators of sextant.
    expect(await left()).toHaveLength(2);
    expect(await status('DELETE', '/v0.1/apps/lighthouse/sextant')).toBe(204);
    expect(await status('DELETE', org)).toBe(204);
    expect(await left()).toEqual([]);
    for (const table of ['distribution_group_members', 'distribution_group_invitations'] as const) {
      expect(await app.database.query((q) => q.selectFrom(table).selectAll())).toEqual([]);
    }
  });

  test('of an app stay with it when it changes hands; shared ones of its former owner lose it', async () => {
    const { app, ada, tokens, ask, status, names } = await withLighthouse(dialect);
    await app.addOrg(ada, 'jetty');
    await ask('POST', ofCompass, { name: 'own' });
    await ask('POST', `${ofCompass}/own/members`, { user_emails: ['grace@example.com'] });
    await ask('POST', shared, { name: 'common' });
    await ask('POST', `${shared}/common/apps`, { apps: [{ name: 'compass' }, { name: 'sextant' }] });
    await ask('POST', `${shared}/common/members`, { user_emails: ['mary@example.com'] });
    expect(await status('GET', compassUrl, undefined, tokens.mary)).toBe(200);
    expect(await status('POST', `${compassUrl}/transfer/jetty`, {})).toBe(200);
    expect(await names('/v0.1/apps/jetty/compass/distribution_groups')).toEqual(['own']);
    expect(await status('GET', '/v0.1/apps/jetty/compass', undefined, tokens.mary)).toBe(404);
    expect(await status('GET', '/v0.1/apps/lighthouse/sextant', undefined, tokens.mary)).toBe(200);
    expect(await names(`${shared}/common/apps`)).toEqual(['sextant']);
  });

  test('are read by viewers and members, changed by developers and admins, and hidden from everybody else', async () => {
    const { app, compass, tokens, ask } = await withLighthouse(dialect);
    await ask('POST', ofCompass, { name: 'own' });
    await ask('POST', shared, { name: 'common' });
    const joan = await app.addUser('joan');
    await app.addMember(compass, joan, 'viewer');
    await ask('POST', `${ofCompass}/own/members`, { user_emails: ['joan@example.com'] });
    const tess = await app.addUser('tess');
    await app.addMember(compass, tess, 'tester');
    const people = { user_emails: ['new@example.com'] };
    const onApp = [
      ['GET', ofCompass],
      ['GET', `${ofCompass}/own`],
      ['GET', `${ofCompass}/own/members`],
      ['GET', `${compassUrl}/testers`],
      ['POST', ofCompass, { name: 'new' }],
      ['PATCH', `${ofCompass}/own`, { is_public: true }],
      ['DELETE', `${ofCompass}/own`],
      ['POST', `${ofCompass}/own/members`, people],
      ['POST', `${ofCompass}/own/members/bulk_delete`, people],
      ['POST', `${ofCompass}/own/resend_invite`, people],
    ] as const;
    const inOrg = [
      ['GET', shared],
      ['GET', `${shared}/common`],
      ['GET', `${shared}/common/apps`],
      ['GET', `${org}/distribution_groups_details`],
      ['POST', shared, { name: 'new' }],
      ['PATCH', `${shared}/common`, { is_public: true }],
      ['DELETE', `${shared}/common`],
      ['POST', `${shared}/common/members`, people],
      ['POST', `${shared}/common/members/bulk_delete`, people],
      ['POST', `${shared}/common/resend_invite`, people],
    ] as const;
    const before = (await events(app)).length;
    const viewer = await app.userToken(joan);
    const tester = await app.userToken(tess);
    for (const [method, url, body] of onApp) {
      const statusOf = async (token: string) => (await ask(method, url, body, token)).status;
      const seen = [method, url, await statusOf(viewer), await statusOf(tester), await statusOf(tokens.eve)];
      expect(seen).toEqual([method, url, method === 'GET' ? 200 : 403, 403, 404]);
    }
    for (const [method, url, body] of inOrg) {
      const statusOf = async (token: string) => (await ask(method, url, body, token)).status;
      const seen = [method, url, await statusOf(tokens.mary), await statusOf(tokens.grace), await statusOf(viewer)];
      const expected = method === 'GET' ? (url === shared ? 201 : 200) : 403;
      expect(seen).toEqual([method, url, expected, expected, 404]);
    }
    for (const url of [`${shared}/common/members`, `${org}/testers`]) {
      expect((await ask('GET', url, undefined, tokens.grace)).status).toBe(403);
    }
    expect((await events(app)).length).toBe(before);
  });

  test('that are not there are a 404', async () => {
    const { status } = await withLighthouse(dialect);
    for (const url of [ofCompass, shared]) {
      const calls = [
        ['GET', `${url}/none`],
        ['PATCH', `${url}/none`, { is_public: true }],
        ['DELETE', `${url}/none`],
        ['GET', `${url}/none/members`],
        ['POST', `${url}/none/members`, { user_emails: [] }],
        ['POST', `${url}/none/members/bulk_delete`, { user_emails: [] }],
        ['POST', `${url}/none/resend_invite`, {}],
      ] as const;
      for (const [method, path, body] of calls) expect([path, await status(method, path, body)]).toEqual([path, 404]);
    }
    for (const path of ['apps', 'apps/bulk_delete']) {
      expect(await status('POST', `${shared}/none/${path}`, { apps: [] })).toBe(404);
    }
  });
});

type Ask = (method: string, url: string, body: object) => Promise<{ status: number }>;
