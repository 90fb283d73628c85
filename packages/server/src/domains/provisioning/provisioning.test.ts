import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { password, type TestApp, testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const home = '/scim/v2/lighthouse';

type Send = (method: string, path: string, body?: object, token?: string) => Promise<LightMyRequestResponse>;

/** Ada administers the server and lighthouse, which has a domain and a SCIM token; Eve leads another organization. */
async function createFixtures(app: TestApp) {
  const [ada, eve, grace] = [
    await app.addUser('ada', { isAdmin: true }),
    await app.addUser('eve'),
    await app.addUser('grace'),
  ];
  const [org, other] = [await app.addOrg(ada, 'lighthouse'), await app.addOrg(eve, 'pirates')];
  await app.addToOrg(org, grace, 'collaborator');
  const tokens = { ada: await app.userToken(ada), eve: await app.userToken(eve), grace: await app.userToken(grace) };
  const domains = { domains: ['Lighthouse.example'] };
  const set = await app.call('PUT', '/v0.1/admin/orgs/lighthouse/domains', { token: tokens.ada, body: domains });
  expect(set.json()).toEqual({ domains: ['lighthouse.example'] });
  const create = async (name: string, token: string) =>
    (await app.call('POST', `/v0.1/orgs/${name}/provisioning/tokens`, { token, body: {} })).json().scim_token as string;
  const [scim, foreign] = [await create('lighthouse', tokens.ada), await create('pirates', tokens.eve)];
  const send: Send = (method, path, body, token = scim) =>
    app.call(method, `${home}${path}`, {
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/scim+json' } : {}) },
      ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
    });
  const add = async (name: string, more: object = {}) => {
    const email = `${name}@lighthouse.example`;
    const body = { userName: email, emails: [{ value: email, type: 'work', primary: true }], ...more };
    const response = await send('POST', '/Users', body);
    expect([response.statusCode, response.body]).toEqual([201, expect.any(String)]);
    return response.json() as { id: string; userName: string; active: boolean };
  };
  const patch = (path: string, ...Operations: object[]) => send('PATCH', path, { schemas: [PATCH], Operations });
  return { ada, eve, grace, org, other, tokens, scim, foreign, send, add, patch };
}

const accountOf = async (app: TestApp, email: string) =>
  (
    await app.database.query((q) =>
      q
        .selectFrom('users')
        .innerJoin('owners', 'owners.id', 'users.id')
        .select([
          'users.id',
          'owners.name',
          'owners.display_name',
          'users.email',
          'users.is_disabled',
          'users.is_email_verified',
        ])
        .where('users.email_key', '=', email),
    )
  )[0];

eachDatabase('provisioning', (dialect) => {
  test('creates, reads, replaces and deletes users', async () => {
    const app = await testApp(dialect);
    const { send, tokens } = await createFixtures(app);
    const body = {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:User',
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      ],
      externalId: 'E7',
      userName: 'Rosalind@lighthouse.example',
      name: { givenName: 'Rosalind', familyName: 'Franklin' },
      emails: [{ value: 'Rosalind@lighthouse.example', type: 'work', primary: true }],
      title: 'ignored',
      active: true,
    };
    const created = await send('POST', '/Users', body);
    expect(created.headers['content-type']).toBe('application/scim+json; charset=utf-8');
    const { id } = created.json();
    expect(created.headers.location).toMatch(new RegExp(`/scim/v2/lighthouse/Users/${id}$`));
    const expected = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id,
      externalId: 'E7',
      userName: body.userName,
      name: body.name,
      emails: body.emails,
      active: true,
      meta: {
        resourceType: 'User',
        location: created.headers.location,
        created: '2026-11-01T09:00:00.000Z',
        lastModified: '2026-11-01T09:00:00.000Z',
      },
    };
    expect(created.json()).toEqual(expected);
    expect((await send('GET', `/Users/${id}`)).json()).toEqual(expected);
    expect(await accountOf(app, 'rosalind@lighthouse.example')).toMatchObject({
      name: 'Rosalind',
      display_name: 'Rosalind Franklin',
      is_disabled: 0,
      is_email_verified: 1,
    });
    const members = await app.call('GET', '/v0.1/orgs/lighthouse/users', { token: tokens.ada });
    expect(members.json().map((member: { name: string }) => member.name)).toContain('Rosalind');

    const again = await send('POST', '/Users', body);
    expect([again.statusCode, again.headers['content-type'], again.json()]).toEqual([
      409,
      'application/scim+json; charset=utf-8',
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '409',
        scimType: 'uniqueness',
        detail: expect.stringContaining('already has a user'),
      },
    ]);

    const replaced = await send('PUT', `/Users/${id}`, {
      ...body,
      name: { formatted: 'Dr. Franklin' },
      active: 'True',
    });
    expect(replaced.json()).toMatchObject({ name: { formatted: 'Dr. Franklin' }, active: true });
    expect((await accountOf(app, 'rosalind@lighthouse.example'))?.display_name).toBe('Dr. Franklin');

    expect((await send('DELETE', `/Users/${id}`)).statusCode).toBe(204);
    expect((await send('GET', `/Users/${id}`)).statusCode).toBe(404);
    expect((await accountOf(app, 'rosalind@lighthouse.example'))?.is_disabled).toBe(1);
    const revived = await send('POST', '/Users', body);
    expect([revived.statusCode, revived.json().id, revived.json().active]).toEqual([201, id, true]);
    expect((await accountOf(app, 'rosalind@lighthouse.example'))?.is_disabled).toBe(0);
  });

  test('finds users by filters, in pages, with the requested attributes', async () => {
    const app = await testApp(dialect);
    const { send, add } = await createFixtures(app);
    for (const name of ['amy', 'bea', 'cleo'])
      await add(name, { externalId: `X-${name}`, displayName: name.toUpperCase() });
    const names = async (query: string) => {
      const { totalResults, Resources } = (await send('GET', `/Users?${query}`)).json();
      return [totalResults, Resources.map(({ userName }: { userName: string }) => userName?.split('@')[0])];
    };
    const filter = (text: string) => `filter=${encodeURIComponent(text)}`;
    expect(await names('')).toEqual([3, ['amy', 'bea', 'cleo']]);
    expect(await names('startIndex=2&count=1')).toEqual([3, ['bea']]);
    expect(await names('startIndex=-5&count=2')).toEqual([3, ['amy', 'bea']]);
    expect(await names('count=0')).toEqual([3, []]);
    expect(await names('startIndex=9')).toEqual([3, []]);
    // Entra ID tests a connection by a name that doesn't exist.
    expect(await names(filter('userName eq "0ab7c4de-none"'))).toEqual([0, []]);
    expect(await names(filter('USERNAME Eq "AMY@lighthouse.example"'))).toEqual([1, ['amy']]);
    expect(await names(filter('externalId eq "X-bea"'))).toEqual([1, ['bea']]);
    expect(await names(filter('externalId eq "x-bea"'))).toEqual([0, []]);
    expect(await names(filter('emails[type eq "work"].value eq "cleo@lighthouse.example"'))).toEqual([1, ['cleo']]);
    expect(
      await names(filter('urn:ietf:params:scim:schemas:core:2.0:User:displayName sw "b" or userName sw "c"')),
    ).toEqual([2, ['bea', 'cleo']]);
    expect(await names(`${filter('active eq true and not (userName co "amy")')}&count=1&startIndex=2`)).toEqual([
      2,
      ['cleo'],
    ]);
    expect(await names(filter('meta.created gt "2030-01-01T00:00:00Z"'))).toEqual([0, []]);
    const [narrow] = (await send('GET', '/Users?count=1&attributes=userName,name.givenName')).json().Resources;
    expect(Object.keys(narrow).sort()).toEqual(['id', 'schemas', 'userName']);
    const [wide] = (await send('GET', '/Users?count=1&excludedAttributes=emails,meta.created,id')).json().Resources;
    expect(Object.keys(wide).sort()).toEqual([
      'active',
      'displayName',
      'externalId',
      'id',
      'meta',
      'schemas',
      'userName',
    ]);
    expect(Object.keys(wide.meta)).not.toContain('created');
    for (const text of [
      'userName',
      'userName eq',
      'userName eq "a',
      'a eq 1 b',
      '(a pr',
      'a[b pr',
      'userName gt true',
      'a eq nil',
    ]) {
      const refused = await send('GET', `/Users?${filter(text)}`);
      expect([text, refused.statusCode, refused.json().scimType]).toEqual([text, 400, 'invalidFilter']);
    }
    for (const text of ['('.repeat(50), `a pr${' or a pr'.repeat(200)}`]) {
      expect((await send('GET', `/Users?${filter(text)}`)).json().scimType).toBe('invalidFilter');
    }
  });

  test.each<[title: string, operation: object, expected: object]>([
    [
      'Entra ID capitalizes op and sends texts as booleans',
      { op: 'Replace', path: 'active', value: 'False' },
      { active: false },
    ],
    ['Okta sends no path with an object', { op: 'replace', value: { active: false } }, { active: false }],
    [
      'Entra ID sends names with dots in a value',
      { op: 'Add', value: { 'name.givenName': 'Ada' } },
      { name: { givenName: 'Ada' } },
    ],
    [
      'Entra ID sends a URN before the name',
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:displayName', value: 'Countess' },
      { displayName: 'Countess' },
    ],
    [
      'a path with brackets changes the matching element',
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@lighthouse.example' },
      { emails: [{ value: 'new@lighthouse.example', type: 'work', primary: true }] },
    ],
    [
      'a path with brackets creates the element',
      { op: 'Add', path: 'emails[type eq "home"].value', value: 'ada@home.example' },
      {
        emails: [
          { value: 'ops@lighthouse.example', type: 'work', primary: true },
          { value: 'ada@home.example', type: 'home' },
        ],
      },
    ],
    [
      'attributes of extensions are ignored',
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Optics' },
      { active: true },
    ],
    [
      'Okta changes the user name',
      { op: 'replace', path: 'userName', value: 'other@lighthouse.example' },
      { userName: 'other@lighthouse.example' },
    ],
  ])('%s', async (_title, operation, expected) => {
    const app = await testApp(dialect);
    const { add, patch } = await createFixtures(app);
    const { id } = await add('ops');
    const patched = await patch(`/Users/${id}`, operation);
    expect([patched.statusCode, patched.json()]).toEqual([200, expect.objectContaining(expected)]);
  });

  test.each<[operation: object, type: string]>([
    [{ op: 'swap', path: 'active', value: true }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'emails[', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq "fax"]', value: { value: 'x' } }, 'noTarget'],
    [{ op: 'replace', path: 'active', value: 'maybe' }, 'invalidValue'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'replace', path: 'userName', value: 7 }, 'invalidValue'],
    [{ op: 'replace', path: 'emails', value: [{ value: 'ada@elsewhere.example', primary: true }] }, 'invalidValue'],
    [
      { op: 'add', path: 'emails', value: Array.from({ length: 21 }, (_, n) => ({ value: `a${n}@b.example` })) },
      'invalidValue',
    ],
  ])('refuses the operation %j', async (operation, type) => {
    const app = await testApp(dialect);
    const { add, patch, send } = await createFixtures(app);
    const { id } = await add('ops');
    const before = (await send('GET', `/Users/${id}`)).json();
    const refused = await patch(`/Users/${id}`, operation);
    expect([refused.statusCode, refused.json().scimType]).toEqual([400, type]);
    expect((await send('GET', `/Users/${id}`)).json()).toEqual(before);
  });

  test('ends all access of a deactivated user on every process, and keeps what they own', async () => {
    const app = await testApp(dialect);
    const { add, patch, send, tokens } = await createFixtures(app);
    const { id } = await add('leaver');
    // The user sets a password, signs in, and creates a token and an app.
    const reset = await app.call('PATCH', `/v0.1/admin/users/${id}`, { token: tokens.ada, body: { password } });
    expect(reset.statusCode).toBe(200);
    const basic = { authorization: `Basic ${Buffer.from(`leaver:${password}`).toString('base64')}` };
    const { api_token } = (await app.call('POST', '/v0.1/api_tokens', { headers: basic, body: {} })).json();
    const session = await app.call('POST', '/v0.1/sessions', { body: { login: 'leaver', password } });
    const cookie = String(session.headers['set-cookie']).split(';')[0];
    const own = { name: 'keel', display_name: 'Keel', os: 'Android', platform: 'Java' };
    expect((await app.call('POST', '/v0.1/apps', { token: api_token, body: own })).statusCode).toBe(201);
    const other = await app.another();
    const statuses = async () =>
      Promise.all(
        [app.http, other.http].flatMap((http) =>
          [{ 'x-api-token': api_token }, { cookie }].map(
            async (headers) => (await http.inject({ method: 'GET', url: '/v0.1/user', headers })).statusCode,
          ),
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    expect((await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })).json().active).toBe(false);
    expect(await statuses()).toEqual([401, 401, 401, 401]);
    expect((await app.call('POST', '/v0.1/sessions', { body: { login: 'leaver', password } })).statusCode).toBe(401);
    const apps = await app.database.query((q) => q.selectFrom('apps').select('owner_id').where('name', '=', 'keel'));
    expect(apps).toEqual([{ owner_id: id }]);
    // Access comes back, but not the tokens and sessions.
    expect((await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })).json().active).toBe(true);
    expect(await statuses()).toEqual([401, 401, 401, 401]);
    expect((await app.call('POST', '/v0.1/sessions', { body: { login: 'leaver', password } })).statusCode).toBe(201);
    const events = await app.database.query((q) =>
      q
        .selectFrom('audit_events')
        .select(['action', 'actor_kind', 'actor_name', 'org_id'])
        .where('action', '=', 'scim_user.update'),
    );
    expect(events[0]).toEqual({
      action: 'scim_user.update',
      actor_kind: 'directory',
      actor_name: 'lighthouse',
      org_id: expect.any(String),
    });
    expect((await send('GET', `/Users/${id}`)).json().active).toBe(true);
  });

  test('never creates, takes over, renames or disables accounts that the organization does not manage', async () => {
    const app = await testApp(dialect);
    const { send, patch, grace, eve, ada, tokens } = await createFixtures(app);
    const body = (email: string) => ({
      userName: email,
      displayName: 'Taken Over',
      emails: [{ value: email, primary: true }],
    });
    // A new account outside of the domains, a stranger, and one whose address only contains the domain.
    for (const [email, status] of [
      ['victim@elsewhere.example', 400],
      ['victim@sub.lighthouse.example', 400],
      ['lighthouse.example@elsewhere.example', 400],
      [eve.email, 409],
    ] as const) {
      expect([email, (await send('POST', '/Users', body(email))).statusCode]).toEqual([email, status]);
    }
    // A member of the organization, whose account isn't managed: only the membership is.
    const member = await send('POST', '/Users', body(grace.email));
    expect([member.statusCode, member.json().id]).toEqual([201, grace.id]);
    const renamed = await patch(
      `/Users/${grace.id}`,
      { op: 'replace', path: 'displayName', value: 'Renamed' },
      { op: 'replace', path: 'emails', value: [{ value: 'stolen@lighthouse.example', primary: true }] },
    );
    expect(renamed.statusCode).toBe(200);
    expect(await accountOf(app, grace.email)).toMatchObject({ display_name: 'grace', email: grace.email });
    expect((await patch(`/Users/${grace.id}`, { op: 'replace', path: 'active', value: false })).json().active).toBe(
      false,
    );
    expect((await accountOf(app, grace.email))?.is_disabled).toBe(0);
    expect((await app.call('GET', '/v0.1/user', { token: tokens.grace })).statusCode).toBe(200);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token: tokens.grace })).statusCode).toBe(404);
    expect((await patch(`/Users/${grace.id}`, { op: 'replace', path: 'active', value: true })).json().active).toBe(
      true,
    );
    expect((await app.call('GET', '/v0.1/orgs/lighthouse', { token: tokens.grace })).statusCode).toBe(200);
    // A person who has left can't be brought back without an invitation.
    expect(
      (await app.call('DELETE', '/v0.1/orgs/lighthouse/users/grace', { token: tokens.grace })).statusCode,
    ).toBeLessThan(300);
    expect((await patch(`/Users/${grace.id}`, { op: 'replace', path: 'active', value: true })).statusCode).toBe(403);
    // An administrator of the server is never managed, and the last admin of an organization stays.
    const set = { domains: ['lighthouse.example', 'example.com'] };
    await app.call('PUT', '/v0.1/admin/orgs/lighthouse/domains', { token: tokens.ada, body: set });
    expect((await send('POST', '/Users', body(ada.email))).statusCode).toBe(201);
    expect((await patch(`/Users/${ada.id}`, { op: 'replace', path: 'active', value: false })).statusCode).toBe(409);
    expect((await accountOf(app, ada.email))?.is_disabled).toBe(0);
  });

  test('does not enable an account that an administrator has disabled', async () => {
    const app = await testApp(dialect);
    const { add, patch, tokens } = await createFixtures(app);
    const { id } = await add('banned');
    await app.call('PATCH', `/v0.1/admin/users/${id}`, { token: tokens.ada, body: { is_disabled: true } });
    const refused = await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true });
    expect([refused.statusCode, refused.json().detail]).toEqual([403, expect.stringContaining('administrator')]);
  });

  test('accepts a SCIM token only for its organization, and only for SCIM', async () => {
    const app = await testApp(dialect);
    const { scim, foreign, send, tokens } = await createFixtures(app);
    for (const token of [foreign, tokens.ada, 'wrong', scim.slice(0, -1)]) {
      const refused = await send('GET', '/Users', undefined, token);
      expect([refused.statusCode, refused.json().schemas]).toEqual([
        401,
        ['urn:ietf:params:scim:api:messages:2.0:Error'],
      ]);
    }
    for (const url of [
      '/v0.1/user',
      '/v0.1/orgs/lighthouse',
      '/v0.1/orgs/lighthouse/provisioning',
      '/v0.1/admin/users',
    ]) {
      expect([url, (await app.call('GET', url, { token: scim })).statusCode]).toEqual([url, 401]);
    }
    const list = '/v0.1/orgs/lighthouse/provisioning/tokens';
    const [listed] = (await app.call('GET', list, { token: tokens.ada })).json();
    expect(listed).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      last_four: scim.slice(-4),
      created_by: 'ada',
    });
    expect((await app.call('GET', list, { token: tokens.grace })).statusCode).toBe(403);
    const other = await app.another();
    const read = () =>
      other.http.inject({ method: 'GET', url: `${home}/Users`, headers: { authorization: `Bearer ${scim}` } });
    expect((await read()).statusCode).toBe(200);
    expect((await app.call('DELETE', `${list}/${listed.id}`, { token: tokens.eve })).statusCode).toBe(404);
    expect((await app.call('DELETE', `${list}/${listed.id}`, { token: tokens.ada })).statusCode).toBe(204);
    expect((await read()).statusCode).toBe(401);
    for (let n = 0; n < 10; n += 1) {
      expect((await app.call('POST', list, { token: tokens.ada, body: {} })).statusCode).toBe(201);
    }
    expect((await app.call('POST', list, { token: tokens.ada, body: {} })).statusCode).toBe(409);
  });

  test('assigns a domain to one organization, by administrators of the server only', async () => {
    const app = await testApp(dialect);
    const { tokens } = await createFixtures(app);
    const set = (org: string, domain: string, token: string) =>
      app.call('PUT', `/v0.1/admin/orgs/${org}/domains`, { token, body: { domains: [domain] } });
    expect((await set('pirates', 'lighthouse.example', tokens.ada)).statusCode).toBe(409);
    expect((await set('lighthouse', 'example.org', tokens.grace)).statusCode).toBe(403);
    expect((await set('nowhere', 'example.org', tokens.ada)).statusCode).toBe(404);
    expect((await set('pirates', 'not a domain', tokens.ada)).statusCode).toBe(400);
    expect((await set('pirates', 'pirates.example', tokens.ada)).statusCode).toBe(200);
    const state = await app.call('GET', '/v0.1/orgs/lighthouse/provisioning', { token: tokens.ada });
    expect(state.json()).toMatchObject({ domains: ['lighthouse.example'], users: 0, groups: 0 });
    expect(state.json().base_url).toMatch(/\/scim\/v2\/lighthouse$/);
  });

  test('turns groups into teams, and follows their members', async () => {
    const app = await testApp(dialect);
    const { add, send, patch, tokens, eve } = await createFixtures(app);
    const [amy, bea] = [await add('amy'), await add('bea')];
    const created = await send('POST', '/Groups', {
      displayName: 'Night Watch',
      externalId: 'G1',
      members: [{ value: amy.id }],
    });
    expect(created.statusCode).toBe(201);
    const { id } = created.json();
    expect(created.json()).toMatchObject({
      displayName: 'Night Watch',
      externalId: 'G1',
      members: [{ value: amy.id, display: 'amy@lighthouse.example' }],
    });
    const team = async () =>
      (await app.call('GET', '/v0.1/orgs/lighthouse/teams/Night-Watch/users', { token: tokens.ada }))
        .json()
        .map(({ name }: { name: string }) => name);
    expect(await team()).toEqual(['amy']);
    const path = `/Groups/${id}`;
    // Okta adds in lists; Entra ID adds and removes one by one.
    expect((await patch(path, { op: 'Add', path: 'members', value: [{ value: bea.id }] })).statusCode).toBe(204);
    expect(await team()).toEqual(['amy', 'bea']);
    expect((await patch(path, { op: 'Remove', path: `members[value eq "${amy.id}"]` })).statusCode).toBe(204);
    expect(await team()).toEqual(['bea']);
    expect((await patch(path, { op: 'Remove', path: 'members', value: [{ value: bea.id }] })).statusCode).toBe(204);
    expect(await team()).toEqual([]);
    expect(
      (
        await patch(path, {
          op: 'replace',
          value: { id, displayName: 'Day Watch', members: [{ value: amy.id }, { value: bea.id }] },
        })
      ).statusCode,
    ).toBe(204);
    expect(await team()).toEqual(['amy', 'bea']);
    expect(
      (await send('PUT', path, { displayName: 'Day Watch', members: [{ value: bea.id }] })).json().members,
    ).toHaveLength(1);
    const find = async (query: string) => (await send('GET', `/Groups?${query}`)).json();
    const both = `filter=${encodeURIComponent(`id eq "${id}" and members eq "${bea.id}"`)}`;
    expect((await find(`${both}&attributes=id`)).Resources).toEqual([{ schemas: expect.any(Array), id }]);
    expect(
      (await find(`filter=${encodeURIComponent('displayName eq "day watch"')}&excludedAttributes=members`))
        .Resources[0],
    ).not.toHaveProperty('members');
    expect((await find(`filter=${encodeURIComponent(`members.value eq "${amy.id}"`)}`)).totalResults).toBe(0);
    // Only users of the directory can join, and groups that admins created are invisible.
    for (const value of [eve.id, 'nobody', { type: 'Group', value: id }]) {
      const member = typeof value === 'string' ? { value } : value;
      const refused = await patch(path, { op: 'add', path: 'members', value: [member] });
      expect([refused.statusCode, refused.json().scimType]).toEqual([400, 'invalidValue']);
    }
    expect((await send('POST', '/Groups', { displayName: 'DAY WATCH' })).statusCode).toBe(409);
    await app.call('POST', '/v0.1/orgs/lighthouse/teams', {
      token: tokens.ada,
      body: { display_name: 'Manual', name: 'manual' },
    });
    expect((await find('')).totalResults).toBe(1);
    expect((await send('DELETE', path)).statusCode).toBe(204);
    expect((await send('GET', path)).statusCode).toBe(404);
    expect((await app.call('GET', '/v0.1/orgs/lighthouse/teams', { token: tokens.ada })).json()).toHaveLength(1);
  });

  test('describes itself, in its own format of errors', async () => {
    const app = await testApp(dialect);
    const { send } = await createFixtures(app);
    expect((await send('GET', '/ServiceProviderConfig')).json()).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
    });
    expect((await send('GET', '/ResourceTypes')).json().Resources).toHaveLength(2);
    const [schema] = (await send('GET', '/Schemas')).json().Resources;
    expect(schema.attributes.find(({ name }: { name: string }) => name === 'userName')).toMatchObject({
      required: true,
      uniqueness: 'server',
    });
    const unknown = await send('GET', '/Bulk');
    expect([unknown.statusCode, unknown.json().status]).toEqual([404, '404']);
    const json = await app.call('POST', `${home}/Users`, {
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from('{}'),
    });
    expect(json.statusCode).toBe(401);
  });
});
