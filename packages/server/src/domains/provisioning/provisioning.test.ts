import { expect, test } from 'vitest';
import { password, testApp } from '../../../test/harness/app.ts';
import { createDirectory, findAccountByEmail, scimHome } from '../../../test/harness/directory.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';

eachDatabase('provisioning', (dialect) => {
  test('ends all access of a deactivated user on every process, and keeps what they own', async () => {
    const app = await testApp(dialect);
    const { add, patch, send, tokens } = await createDirectory(app);
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
    const { send, patch, grace, eve, ada, tokens } = await createDirectory(app);
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
    expect(await findAccountByEmail(app, grace.email)).toMatchObject({ display_name: 'grace', email: grace.email });
    expect((await patch(`/Users/${grace.id}`, { op: 'replace', path: 'active', value: false })).json().active).toBe(
      false,
    );
    expect((await findAccountByEmail(app, grace.email))?.is_disabled).toBe(0);
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
    expect((await findAccountByEmail(app, ada.email))?.is_disabled).toBe(0);
  });

  test('does not enable an account that an administrator has disabled', async () => {
    const app = await testApp(dialect);
    const { add, patch, tokens } = await createDirectory(app);
    const { id } = await add('banned');
    await app.call('PATCH', `/v0.1/admin/users/${id}`, { token: tokens.ada, body: { is_disabled: true } });
    const refused = await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true });
    expect([refused.statusCode, refused.json().detail]).toEqual([403, expect.stringContaining('administrator')]);
  });

  test('accepts a SCIM token only for its organization, and only for SCIM', async () => {
    const app = await testApp(dialect);
    const { scim, foreign, send, tokens } = await createDirectory(app);
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
      other.http.inject({ method: 'GET', url: `${scimHome}/Users`, headers: { authorization: `Bearer ${scim}` } });
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
    const { tokens } = await createDirectory(app);
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
    const { add, send, patch, tokens, eve } = await createDirectory(app);
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
    // Other conditions than IDs would have to be evaluated for every member.
    for (const condition of [`value sw "${amy.id}"`, 'display eq "amy"', `not (value eq "${amy.id}")`]) {
      const refused = await patch(path, { op: 'remove', path: `members[${condition}]` });
      expect([condition, refused.statusCode, refused.json().scimType]).toEqual([condition, 400, 'invalidFilter']);
    }
    await patch(path, { op: 'add', path: 'members', value: [{ value: amy.id }, { value: bea.id }] });
    const bothMembers = `members[value eq "${amy.id}" or value eq "${bea.id}"]`;
    expect((await patch(path, { op: 'remove', path: bothMembers })).statusCode).toBe(204);
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
    const { send } = await createDirectory(app);
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
    const json = await app.call('POST', `${scimHome}/Users`, {
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from('{}'),
    });
    expect(json.statusCode).toBe(401);
  });
});
