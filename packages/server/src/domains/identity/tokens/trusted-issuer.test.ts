import { expect, test } from 'vitest';
import { password, testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { provider } from '../../../../test/harness/services/identity-provider.ts';
import { HOUR, MINUTE } from '../../../kernel/clock.ts';
import { fetchJson } from '../../../outbound/fetch-json.ts';
import { BearerFailure, findBearerActor } from './access-tokens.ts';
import { openTrustedIssuer } from './trusted-issuer.ts';

async function trusting(dialect: 'sqlite' | 'postgres', theirs: { issuer: string }, settings = {}) {
  const named = { oidcIssuer: theirs.issuer, oidcAudience: ['mooring', 'other'] };
  const app = await testApp(dialect, { ...named, ...settings });
  const trustedIssuer = openTrustedIssuer(app.deps, fetchJson);
  const find = (token: string) => findBearerActor({ ...app.deps, trustedIssuer }, token);
  const use = async (token: string) => {
    try {
      return (await find(token)).actor.user.name;
    } catch (error) {
      if (error instanceof BearerFailure) return `${error.code}: ${error.message}`;
      throw error;
    }
  };
  return { app, use, find };
}

eachDatabase('a trusted identity provider', (dialect) => {
  test.each(['RS256', 'ES256'] as const)('acts for the account with the verified email address (%s)', async (alg) => {
    const theirs = await provider(alg);
    const { app, find } = await trusting(dialect, theirs);
    const grace = await app.addUser('grace');
    const known = await find(await theirs.sign(app, { email: 'Grace@Example.com' }));
    expect([known.actor.user.id, known.expiresAt]).toEqual([grace.id, app.deps.clock.now() + 600_000]);
    const log = await app.database.query((q) => q.selectFrom('audit_events').select(['action', 'subject_id']));
    expect(log).toContainEqual({ action: 'oidc_subject.link', subject_id: grace.id });
  });

  test('identifies programs that act for themselves', async () => {
    const theirs = await provider();
    const { app, find } = await trusting(dialect, theirs);
    await app.addUser('grace');
    const credential = async (claims: object) => (await find(await theirs.sign(app, claims))).actor.credential;
    expect(await credential({ sub: 'board', azp: 'other' })).not.toHaveProperty('isClientItself');
    for (const claims of [{ azp: 'board' }, { client_id: 'board' }, { appid: 'board' }, { idtyp: 'app' }]) {
      expect(await credential({ sub: 'board', ...claims })).toMatchObject({ isClientItself: true });
    }
  });

  test('is matched by subject afterwards: a changed or reused email address grants nothing', async () => {
    const theirs = await provider();
    const { app, use } = await trusting(dialect, theirs);
    const grace = await app.addUser('grace');
    await app.addUser('ada');
    const both = await Promise.all([use(await theirs.sign(app)), use(await theirs.sign(app))]);
    expect(both).toEqual(['grace', 'grace']);
    expect(await use(await theirs.sign(app, { email: 'ada@example.com' }))).toBe('grace');
    expect(await use(await theirs.sign(app, { email: undefined }))).toBe('grace');
    expect(await use(await theirs.sign(app, { sub: 's-2' }))).toContain('is linked to another user');

    const token = await app.userToken(await app.addUser('root', { isAdmin: true }));
    const url = `/v0.1/admin/users/${grace.id}/oidc_subject`;
    expect((await app.call('DELETE', url, { token })).statusCode).toBe(204);
    expect((await app.call('DELETE', url, { token })).statusCode).toBe(404);
    expect(await use(await theirs.sign(app, { sub: 's-2' }))).toBe('grace');
  });

  test('does not match an unverified email unless the operator trusts the provider', async () => {
    const theirs = await provider();
    const { app, use } = await trusting(dialect, theirs);
    await app.addUser('grace');
    // A missing claim or a text does not count as verified.
    for (const email_verified of [false, undefined, null, 'true', 1]) {
      const response = await use(await theirs.sign(app, { email_verified }));
      expect([email_verified, response]).toEqual([
        email_verified,
        expect.stringContaining('administrator must create'),
      ]);
    }
    const trustful = await trusting(dialect, theirs, { oidcTrustEmail: true });
    await trustful.app.addUser('grace');
    const upn = { email: undefined, email_verified: undefined, upn: 'grace@example.com' };
    expect(await trustful.use(await theirs.sign(trustful.app, upn))).toBe('grace');
  });

  test('does not match an account whose email is not verified', async () => {
    const theirs = await provider();
    for (const oidcTrustEmail of [false, true]) {
      const { app, use } = await trusting(dialect, theirs, { openSignUp: true, oidcTrustEmail });
      const body = { email: 'grace@example.com', name: 'squatter', password };
      expect((await app.call('POST', '/v0.1/users', { body })).statusCode).toBe(201);
      expect(await use(await theirs.sign(app))).toContain('has not confirmed it');
      const linked = await app.database.query((q) => q.selectFrom('oidc_subjects').selectAll());
      expect(linked).toEqual([]);
      const root = await app.userToken(await app.addUser('root', { isAdmin: true }));
      const { values } = (await app.call('GET', '/v0.1/admin/users', { token: root })).json();
      const { id } = values.find(({ name }: { name: string }) => name === 'squatter');
      const vouch = { is_email_verified: true };
      expect((await app.call('PATCH', `/v0.1/admin/users/${id}`, { token: root, body: vouch })).statusCode).toBe(200);
      expect(await use(await theirs.sign(app))).toBe('squatter');
    }
  });

  test('does not act for unknown users, service accounts or disabled users', async () => {
    const theirs = await provider();
    const { app, use } = await trusting(dialect, theirs);
    expect(await use(await theirs.sign(app))).toMatch(/^InvalidAuthenticationToken: .*administrator must create/);
    const ada = await app.addUser('ada', { isAdmin: true });
    const token = await app.userToken(ada);
    await app.addOrg(ada, 'lighthouse');
    const body = { display_name: 'Robot', name: 'robot' };
    await app.call('POST', '/v0.1/orgs/lighthouse/service_accounts', { token, body });
    expect(await use(await theirs.sign(app, { email: 'robot@service.invalid' }))).toContain('must create');
    const grace = await app.addUser('grace');
    const disable = () => app.call('PATCH', `/v0.1/admin/users/${grace.id}`, { token, body: { is_disabled: true } });
    expect(await use(await theirs.sign(app))).toBe('grace');
    await disable();
    expect(await use(await theirs.sign(app))).toContain('disabled');
  });

  test('is not accepted with wrong claims', async () => {
    const theirs = await provider();
    const { app, use } = await trusting(dialect, theirs);
    await app.addUser('grace');
    for (const [claims, code] of [
      [{ aud: 'else' }, 'InvalidAuthenticationTokenAudience'],
      [{ aud: undefined }, 'InvalidAuthenticationTokenAudience'],
      [{ exp: 1 }, 'ExpiredAuthenticationToken'],
      [{ exp: undefined }, 'InvalidAuthenticationToken'],
      [{ nbf: 4_000_000_000 }, 'InvalidAuthenticationToken'],
      [{ sub: undefined }, 'InvalidAuthenticationToken'],
      [{ sub: '\0' }, 'InvalidAuthenticationToken'],
      [{ email: 'a@\0' }, 'InvalidAuthenticationToken'],
      [{ iss: 'https://evil.example' }, 'InvalidAuthenticationTokenTenant'],
      [{ iss: 'https://localhost:8443/common' }, 'InvalidAuthenticationToken'],
    ] as const) {
      expect([claims, (await use(await theirs.sign(app, claims))).split(':')[0]]).toEqual([claims, code]);
    }
  });
});

test('rejects other algorithms', async () => {
  const theirs = await provider('PS256');
  const { app, use } = await trusting('sqlite', theirs);
  await app.addUser('grace');
  expect(await use(await theirs.sign(app))).toMatch(/^InvalidAuthenticationToken:/);
});

test('fetches keys once, and again for a new key, but not for every unknown one', async () => {
  const theirs = await provider();
  const { app, use } = await trusting('sqlite', theirs);
  await app.addUser('grace');
  const fetches = () => theirs.requests.filter((url) => url === '/keys').length;
  await Promise.all([use(await theirs.sign(app)), use(await theirs.sign(app))]);
  expect(fetches()).toBe(1);
  await theirs.rotate();
  expect(await use(await theirs.sign(app))).toMatch(/^InvalidAuthenticationToken:/);
  expect(fetches()).toBe(1);
  app.advance(MINUTE);
  expect(await use(await theirs.sign(app))).toBe('grace');
  expect(fetches()).toBe(2);
});

test('keeps accepting cached keys for a day while the provider is down', async () => {
  const theirs = await provider();
  const { app, use } = await trusting('sqlite', theirs);
  await app.addUser('grace');
  expect(await use(await theirs.sign(app))).toBe('grace');
  theirs.goDown();
  app.advance(2 * HOUR);
  expect(await use(await theirs.sign(app))).toBe('grace');
  app.advance(23 * HOUR);
  await expect(use(await theirs.sign(app))).rejects.toMatchObject({ code: 'ServiceUnavailable' });
});

test('rejects a provider whose metadata names another issuer', async () => {
  const theirs = await provider();
  const { app, use } = await trusting('sqlite', { issuer: `${theirs.issuer}/` });
  await app.addUser('grace');
  const token = await theirs.sign(app, { iss: `${theirs.issuer}/` });
  await expect(use(token)).rejects.toMatchObject({ code: 'ServiceUnavailable' });
});
