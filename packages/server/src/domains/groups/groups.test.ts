import { expect, test } from 'vitest';
import type { TestApp } from '../../../test/harness/app.ts';
import { withLighthouse } from '../../../test/harness/groups.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';

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
    const { ask: request, status, names } = await withLighthouse(dialect);
    const made = await request('POST', url, { name: 'Beta divers' });
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
    await request('POST', url, { name: 'alpha', display_name: 'The first' });
    expect([await status('GET', url), await names(url)]).toEqual([listed, ['alpha', 'Beta divers']]);
    expect((await request('GET', at(url, 'BETA divers'))).body).toEqual(made.body);

    const renamed = await request('PATCH', at(url, 'Beta divers'), { name: 'Gamma divers', is_public: true });
    const after = { ...made.body, name: 'Gamma divers', display_name: 'Gamma divers', is_public: true };
    expect(renamed).toEqual({ status: 200, body: after });
    expect((await request('PATCH', at(url, 'alpha'), { name: 'Alpha' })).body).toMatchObject({
      name: 'Alpha',
      display_name: 'The first',
    });
    expect((await request('PATCH', at(url, 'Gamma divers'), {})).body).toEqual(after);
    expect([await status('GET', at(url, 'Beta divers')), await names(url)]).toEqual([404, ['Alpha', 'Gamma divers']]);

    expect(await request('DELETE', at(url, 'gamma divers'))).toEqual({ status: deleted, body: undefined });
    expect(await status('DELETE', at(url, 'gamma divers'))).toBe(404);
    expect(await names(url)).toEqual(['Alpha']);
  });

  test.each(['Tauchgruppe Überlingen', 'テスター', 'a/b', '100% sure', 'A+B? #1', '👩‍🚀'.repeat(20), 'x'.repeat(128)])(
    'can be named %j',
    async (name) => {
      const { ask: request, status } = await withLighthouse(dialect);
      for (const url of [ofCompass, shared]) {
        expect((await request('POST', url, { name })).body.name).toBe(name);
        expect((await request('GET', at(url, name))).body.name).toBe(name);
        expect(await status('GET', `${at(url, name)}/members`)).toBe(200);
        expect(await status('POST', url, { name: name.toUpperCase() })).toBe(409);
      }
    },
  );

  test('are the same in all Unicode forms of an accented letter', async () => {
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
  ])('reject the name %j', async (body) => {
    const { status } = await withLighthouse(dialect);
    for (const url of [ofCompass, shared]) expect([url, await status('POST', url, body)]).toEqual([url, 400]);
    if (!('name' in body) || 'display_name' in body) return;
    await status('POST', ofCompass, { name: 'beta' });
    expect(await status('PATCH', `${ofCompass}/beta`, body)).toBe(400);
  });

  test('have unique names per app and per organization', async () => {
    const { status, reason } = await withLighthouse(dialect);
    for (const url of [ofCompass, shared, '/v0.1/apps/lighthouse/sextant/distribution_groups']) {
      expect(await status('POST', url, { name: 'beta' })).toBe(201);
    }
    expect(await reason('POST', ofCompass, { name: 'BETA' })).toEqual([
      409,
      'lighthouse/compass already has a distribution group named "BETA". Choose another name.',
    ]);
    await status('POST', shared, { name: 'alpha' });
    expect(await reason('PATCH', `${shared}/alpha`, { name: 'Beta' })).toEqual([
      409,
      'lighthouse already has a distribution group named "Beta". Choose another name.',
    ]);
    await status('POST', ofCompass, { name: 'alpha' });
    expect(await status('PATCH', `${ofCompass}/alpha`, { name: 'Beta' })).toBe(409);
  });

  const races: [string, (request: Request) => (() => ReturnType<Request>)[]][] = [
    [
      'two creations',
      (request: Request) => [
        () => request('POST', ofCompass, { name: 'beta' }),
        () => request('POST', ofCompass, { name: 'Beta' }),
      ],
    ],
    [
      'two shared creations',
      (request: Request) => [
        () => request('POST', shared, { name: 'beta' }),
        () => request('POST', shared, { name: 'Beta' }),
      ],
    ],
    [
      'two renames',
      (request: Request) => [
        () => request('PATCH', `${ofCompass}/one`, { name: 'beta' }),
        () => request('PATCH', `${ofCompass}/two`, { name: 'beta' }),
      ],
    ],
    [
      'a creation and the rename of a shared group of the app',
      (request: Request) => [
        () => request('POST', ofCompass, { name: 'beta' }),
        () => request('PATCH', `${shared}/three`, { name: 'beta' }),
      ],
    ],
    [
      'a rename and adding the app to a shared group',
      (request: Request) => [
        () => request('PATCH', `${ofCompass}/one`, { name: 'four' }),
        () => request('POST', `${shared}/four/apps`, { apps: [{ name: 'compass' }] }),
      ],
    ],
  ];

  test.each(
    races.flatMap(([what, race]) => [
      [what, race] as const,
      [`${what}, the other way round,`, (request: Request) => race(request).toReversed()] as const,
    ]),
  )('go to one of two %s that create the same name at the same time, and the other gets 409', async (_what, race) => {
    const { app, ask: request, status, names } = await withLighthouse(dialect);
    for (const name of ['one', 'two']) await status('POST', ofCompass, { name });
    for (const name of ['three', 'four']) await status('POST', shared, { name });
    await status('POST', `${shared}/three/apps`, { apps: [{ name: 'compass' }] });
    const [first, second] = (await atOnce(app, race(request))).map((response) => response.status);
    expect([first, second]).toEqual([expect.toSatisfy((code) => code < 300), 409]);
    const all = (await names(ofCompass)).map((name) => name.toLowerCase());
    expect(new Set(all).size).toBe(all.length);
    expect(await app.logged()).not.toContain('unexpected error');
  });

  test('that are shared are listed for their apps, and changed at the organization only', async () => {
    const { ask: request, status, reason, names } = await withLighthouse(dialect);
    await request('POST', shared, { name: 'Beta divers' });
    await request('POST', ofCompass, { name: 'alpha' });
    expect(await names(ofCompass)).toEqual(['alpha']);
    const apps = `${at(shared, 'Beta divers')}/apps`;
    expect(await status('POST', apps, { apps: [{ name: 'Compass' }] })).toBe(204);
    expect(await names(ofCompass)).toEqual(['alpha', 'Beta divers']);
    const there = at(ofCompass, 'beta divers');
    expect((await request('GET', there)).body).toEqual((await request('GET', at(shared, 'Beta divers'))).body);
    expect(await status('GET', `${there}/members`)).toBe(200);
    const why =
      '"Beta divers" is a shared group of lighthouse. Change it at /v0.1/orgs/lighthouse/distribution_groups/Beta%20divers.';
    const user_emails = ['eve@example.com'];
    expect(await reason('PATCH', there, { is_public: true })).toEqual([409, why]);
    expect(await reason('DELETE', there)).toEqual([409, why]);
    expect(await reason('POST', `${there}/members`, { user_emails })).toEqual([409, why]);
    expect(await reason('POST', `${there}/members/bulk_delete`, { user_emails })).toEqual([409, why]);
    expect(await reason('POST', `${there}/resend_invite`, { user_emails })).toEqual([409, why]);
    expect(await status('GET', at(shared, 'alpha'))).toBe(404);
  });

  test('record every change, for the organization and the app', async () => {
    const { app, lighthouse, compass, ask: request } = await withLighthouse(dialect);
    await request('POST', ofCompass, { name: 'beta' });
    await request('PATCH', `${ofCompass}/beta`, { is_public: true });
    await request('PATCH', `${ofCompass}/beta`, { is_public: true });
    await request('POST', `${ofCompass}/beta/members`, { user_emails: ['grace@example.com', 'new@example.com', 'no'] });
    await request('POST', `${ofCompass}/beta/resend_invite`, { user_emails: ['new@example.com'] });
    await request('POST', `${ofCompass}/beta/members/bulk_delete`, { user_emails: ['new@example.com', 'no'] });
    await request('DELETE', `${ofCompass}/beta`);
    await request('POST', shared, { name: 'gamma' });
    await request('POST', `${shared}/gamma/apps`, { apps: [{ name: 'compass' }] });
    await request('POST', `${shared}/gamma/apps/bulk_delete`, { apps: [{ name: 'compass' }] });
    const all = await events(app);
    expect(all.map(({ action, subject_name, app_id }) => [action, subject_name, app_id])).toEqual([
      ...['create', 'update', 'add_user', 'add_user', 'resend_invite', 'remove_user', 'delete'].map((action) => [
        `group.${action}`,
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
    const ofApp = (await request('GET', `${compassUrl}/audit?action=group`)).body.values;
    expect(ofApp).toHaveLength(9);
  });

  test('are deleted with their app and their organization', async () => {
    const { app, ask: request, status } = await withLighthouse(dialect);
    for (const url of [ofCompass, shared]) {
      await request('POST', url, { name: 'beta' });
      await request('POST', `${url}/beta/members`, { user_emails: ['grace@example.com', 'new@example.com'] });
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

  test('of an app stay with it after a transfer; shared ones of the previous owner lose it', async () => {
    const { app, ada, tokens, ask: request, status, names } = await withLighthouse(dialect);
    await app.addOrg(ada, 'jetty');
    await request('POST', ofCompass, { name: 'own' });
    await request('POST', `${ofCompass}/own/members`, { user_emails: ['grace@example.com'] });
    await request('POST', shared, { name: 'common' });
    await request('POST', `${shared}/common/apps`, { apps: [{ name: 'compass' }, { name: 'sextant' }] });
    await request('POST', `${shared}/common/members`, { user_emails: ['mary@example.com'] });
    expect(await status('GET', compassUrl, undefined, tokens.mary)).toBe(200);
    expect(await status('POST', `${compassUrl}/transfer/jetty`, {})).toBe(200);
    expect(await names('/v0.1/apps/jetty/compass/distribution_groups')).toEqual(['own']);
    expect(await status('GET', '/v0.1/apps/jetty/compass', undefined, tokens.mary)).toBe(404);
    expect(await status('GET', '/v0.1/apps/lighthouse/sextant', undefined, tokens.mary)).toBe(200);
    expect(await names(`${shared}/common/apps`)).toEqual(['sextant']);
  });

  test('are read by viewers and members, changed by developers and admins, and hidden from all others', async () => {
    const { app, compass, tokens, ask: request } = await withLighthouse(dialect);
    await request('POST', ofCompass, { name: 'own' });
    await request('POST', shared, { name: 'common' });
    const joan = await app.addUser('joan');
    await app.addMember(compass, joan, 'viewer');
    await request('POST', `${ofCompass}/own/members`, { user_emails: ['joan@example.com'] });
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
      const getStatus = async (token: string) => (await request(method, url, body, token)).status;
      const seen = [method, url, await getStatus(viewer), await getStatus(tester), await getStatus(tokens.eve)];
      expect(seen).toEqual([method, url, method === 'GET' ? 200 : 403, 403, 404]);
    }
    for (const [method, url, body] of inOrg) {
      const getStatus = async (token: string) => (await request(method, url, body, token)).status;
      const seen = [method, url, await getStatus(tokens.mary), await getStatus(tokens.grace), await getStatus(viewer)];
      const expected = method === 'GET' ? (url === shared ? 201 : 200) : 403;
      expect(seen).toEqual([method, url, expected, expected, 404]);
    }
    for (const url of [`${shared}/common/members`, `${org}/testers`]) {
      expect((await request('GET', url, undefined, tokens.grace)).status).toBe(403);
    }
    expect((await events(app)).length).toBe(before);
  });

  test('return 404 if they do not exist', async () => {
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

type Request = (method: string, url: string, body: object) => Promise<{ status: number }>;
