import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { DAY } from '../../kernel/clock.ts';

/** Ada administers the server and owns compass and sextant, each with two deployments. */
async function createFixtures(app: TestApp) {
  const ada = await app.addUser('ada', { isAdmin: true });
  const [compass, sextant] = [await app.addApp(ada, 'compass'), await app.addApp(ada, 'sextant')];
  const full = await app.userToken(ada);
  for (const name of ['compass', 'sextant']) {
    for (const deployment of ['Staging', 'Production']) {
      await app.call('POST', `/v0.1/apps/ada/${name}/deployments`, { token: full, body: { name: deployment } });
    }
  }
  const create = (body: object, token = full) => app.call('POST', '/v0.1/api_tokens', { token, body });
  const limited = async (body: object, token = full): Promise<string> => {
    const made = await create(body, token);
    expect([made.statusCode, made.body]).toEqual([201, expect.any(String)]);
    return made.json().api_token;
  };
  const status = async (token: string, method: string, url: string, body?: object) =>
    (await app.call(method, url, { token, ...(body ? { body } : {}) })).statusCode;
  return { ada, compass, sextant, full, create, limited, status };
}

const ofCompass = '/v0.1/apps/ada/compass';

eachDatabase('limited tokens', (dialect) => {
  test('allow their permissions, include reading in the area, and refuse the rest', async () => {
    const app = await testApp(dialect);
    const { limited, status, full } = await createFixtures(app);
    const token = await limited({ scope: ['codepush:write', 'analytics:read'] });
    expect(await status(token, 'GET', `${ofCompass}/deployments`)).toBe(200);
    expect(await status(token, 'POST', `${ofCompass}/deployments`, { name: 'Beta' })).toBe(201);
    expect(await status(token, 'DELETE', `${ofCompass}/deployments/Beta`)).toBe(403);
    expect(await status(token, 'GET', `${ofCompass}/analytics/versions?start=2026-10-01`)).toBe(200);
    expect(await status(token, 'PATCH', ofCompass, { display_name: 'X' })).toBe(403);
    expect(await status(token, 'GET', '/v0.1/admin/users')).toBe(403);
    expect(await status(token, 'GET', '/v0.1/apps')).toBe(403);
    expect(await status(token, 'POST', '/v0.1/api_tokens', {})).toBe(403);
    // Any token says whose it is.
    expect(await status(token, 'GET', '/v0.1/user')).toBe(200);
    const refused = await app.call('GET', '/v0.1/apps', { token });
    expect(refused.json().error.message).toContain('lacks the permission apps:read');
    const [listed] = (await app.call('GET', '/v0.1/api_tokens', { token: full })).json();
    expect(listed.scope).toEqual(['analytics:read', 'codepush:write']);
  });

  test('read like a Read-Only token in areas that they only read', async () => {
    const app = await testApp(dialect);
    const { limited, status } = await createFixtures(app);
    const reader = await limited({ scope: ['apps:read', 'codepush:write'] });
    expect(await status(reader, 'GET', ofCompass)).toBe(200);
    // Developers see the tokens of an app, Viewers don't.
    expect(await status(reader, 'GET', `${ofCompass}/api_tokens`)).toBe(403);
    expect(await status(await limited({ scope: ['apps:write'] }), 'GET', `${ofCompass}/api_tokens`)).toBe(200);
  });

  test('never grant more than their user has', async () => {
    const app = await testApp(dialect);
    const { compass, full, status } = await createFixtures(app);
    const mary = await app.addUser('mary');
    await app.addMember(compass, mary, 'viewer');
    const token = await app.userToken(mary, { scope: ['codepush:write', 'admin:write', 'org:write'] });
    expect(await status(token, 'POST', `${ofCompass}/deployments`, { name: 'Beta' })).toBe(403);
    expect(await status(token, 'GET', '/v0.1/admin/users')).toBe(403);
    expect(await status(token, 'GET', '/v0.1/apps/ada/sextant/deployments')).toBe(404);
    const developer = await app.addUser('dev');
    await app.addMember(compass, developer, 'developer');
    const own = await app.userToken(developer);
    const create = (token: string, scope: string[]) =>
      app.call('POST', `${ofCompass}/api_tokens`, { token, body: { scope } });
    // An app token with permissions acts as Manager in their areas.
    expect((await create(own, ['codepush:write'])).statusCode).toBe(403);
    const made = await create(full, ['codepush:write']);
    expect(made.statusCode).toBe(201);
    const { api_token } = made.json();
    expect(await status(api_token, 'POST', `${ofCompass}/deployments`, { name: 'Beta' })).toBe(201);
    expect(await status(api_token, 'PATCH', ofCompass, { display_name: 'X' })).toBe(403);
    expect(await status(api_token, 'GET', '/v0.1/apps/ada/sextant/deployments')).toBe(404);
  });

  test('work for their apps and deployments only', async () => {
    const app = await testApp(dialect);
    const { limited, status, create } = await createFixtures(app);
    const token = await limited({ scope: ['all'], apps: ['ada/compass'] });
    expect(await status(token, 'GET', ofCompass)).toBe(200);
    expect(await status(token, 'PATCH', ofCompass, { display_name: 'Needle' })).toBe(200);
    for (const url of ['/v0.1/apps/ada/sextant', '/v0.1/apps', '/v0.1/admin/users', '/v0.1/search?query=se']) {
      expect([url, await status(token, 'GET', url)]).toEqual([url, 403]);
    }
    const staging = await limited({ scope: ['codepush:write'], deployments: ['staging'] });
    expect(await status(staging, 'GET', `${ofCompass}/deployments/Staging`)).toBe(200);
    expect(await status(staging, 'GET', `${ofCompass}/deployments/Production`)).toBe(403);
    expect(await status(staging, 'GET', `${ofCompass}/deployments`)).toBe(403);
    const promote = `${ofCompass}/deployments/Staging/promote_release/Production`;
    expect(await status(staging, 'POST', promote, {})).toBe(403);
    expect((await create({ apps: ['ada/nothing'] })).statusCode).toBe(400);
    expect((await create({ scope: ['viewer', 'apps:read'] })).statusCode).toBe(400);
    expect((await create({ scope: ['apps:everything'] })).statusCode).toBe(400);
  });

  test('work from their networks and at their time only', async () => {
    const app = await testApp(dialect, { trustedProxies: ['127.0.0.1'] });
    const { limited, create } = await createFixtures(app);
    const token = await limited({ networks: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'] });
    const from = async (address: string) =>
      (await app.call('GET', '/v0.1/user', { token, headers: { 'x-forwarded-for': address } })).statusCode;
    for (const address of ['203.0.113.9', '2001:db8::7', '198.51.100.7', '::ffff:203.0.113.9']) {
      expect([address, await from(address)]).toEqual([address, 200]);
    }
    for (const address of ['203.0.114.9', '2001:db9::7', '198.51.100.8', '::ffff:203.0.114.9']) {
      expect([address, await from(address)]).toEqual([address, 403]);
    }
    for (const network of ['10.0.0.0/33', 'fd00::/129', 'example.com', '10.0.0.0/8/8', '10.0.0.0/-1', '']) {
      expect([network, (await create({ networks: [network] })).statusCode]).toEqual([network, 400]);
    }
    const later = await limited({ not_before: '2026-11-02T09:00:00Z' });
    expect((await app.call('GET', '/v0.1/user', { token: later })).statusCode).toBe(401);
    app.advance(DAY);
    expect((await app.call('GET', '/v0.1/user', { token: later })).statusCode).toBe(200);
  });

  test('create only tokens with the same limits or narrower ones, and no other credentials', async () => {
    const app = await testApp(dialect);
    const { ada, limited, create } = await createFixtures(app);
    await app.addOrg(ada, 'lighthouse');
    const token = await limited({ scope: ['account:write', 'org:write', 'codepush:write'], networks: ['127.0.0.0/8'] });
    for (const [body, status] of [
      [{}, 403],
      [{ scope: ['all'] }, 403],
      [{ scope: ['viewer'] }, 403],
      [{ scope: ['admin:read'] }, 403],
      [{ scope: ['codepush:delete'] }, 403],
      [{ scope: ['codepush:write'], networks: ['0.0.0.0/0'] }, 403],
      [{ scope: ['codepush:write'] }, 201],
      [{ scope: ['codepush:read'] }, 201],
    ] as const) {
      expect([body, (await create(body, token)).statusCode]).toEqual([body, status]);
    }
    expect((await create({ scope: ['codepush:read'] }, token)).json().networks).toEqual(['127.0.0.0/8']);
    const scim = await app.call('POST', '/v0.1/orgs/lighthouse/provisioning/tokens', { token, body: {} });
    expect([scim.statusCode, scim.json().error.message]).toEqual([403, expect.stringContaining('is limited')]);
  });

  test('neither appoint admins of an organization nor assign its domains', async () => {
    const app = await testApp(dialect);
    const { ada, limited, full } = await createFixtures(app);
    const org = await app.addOrg(ada, 'lighthouse');
    await app.addToOrg(org, await app.addUser('grace'), 'member');
    const token = await limited({ scope: ['org:write', 'admin:write'] });
    const invited = { user_email: 'mary@example.com' };
    const home = '/v0.1/orgs/lighthouse';
    const invitation = await app.call('POST', `${home}/invitations`, { token: full, body: invited });
    expect(invitation.statusCode).toBeLessThan(300);
    for (const [method, url, body] of [
      ['POST', `${home}/invitations`, { user_email: 'eve@example.com', role: 'admin' }],
      ['PATCH', `${home}/invitations/${invited.user_email}`, { role: 'admin' }],
      ['POST', `${home}/invitations/${invited.user_email}/resend`, { role: 'admin' }],
      ['PATCH', `${home}/users/grace`, { role: 'admin' }],
      ['PUT', '/v0.1/admin/orgs/lighthouse/domains', { domains: ['example.com'] }],
    ] as const) {
      const refused = await app.call(method, url, { token, body });
      expect([url, refused.statusCode, refused.json().error.message]).toEqual([
        url,
        403,
        expect.stringContaining('could grant more access'),
      ]);
    }
  });

  test('record where they were last used', async () => {
    const app = await testApp(dialect, { trustedProxies: ['127.0.0.1'] });
    const { full, limited } = await createFixtures(app);
    const token = await limited({ scope: ['apps:read'] });
    await app.call('GET', '/v0.1/user', { token, headers: { 'x-forwarded-for': '203.0.113.9' } });
    await app.writeUse();
    const [listed] = (await app.call('GET', '/v0.1/api_tokens', { token: full })).json();
    expect([listed.scope, listed.last_used_from]).toEqual([['apps:read'], '203.0.113.9']);
  });
});
