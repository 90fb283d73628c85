import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { signedIn } from '../../../test/harness/services/oauth.ts';
import { systemCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { DAY } from '../../kernel/clock.ts';
import { readConfig } from '../../settings.ts';
import { auditFields, record, sweepAuditEvents } from './audit.ts';

test.each([
  [undefined, undefined],
  ['30', 30],
  ['3650', 3650],
])('the setting %s retains changes for %s days', (MOORING_AUDIT_RETENTION_DAYS, days) => {
  const set = MOORING_AUDIT_RETENTION_DAYS === undefined ? {} : { MOORING_AUDIT_RETENTION_DAYS };
  expect(readConfig(set).auditRetentionDays).toBe(days);
});

test.each(['29', '3651', '30.5', 'x', '-31'])('the setting %s is rejected with the allowed values', (value) => {
  expect(() => readConfig({ MOORING_AUDIT_RETENTION_DAYS: value })).toThrow('a whole number from 30 to 3650');
});

test('records the named fields only, in the spelling of the API', () => {
  const of = { displayName: 'Ada', isAdmin: false, redirectUris: ['a', 'b'], avatarUrl: undefined, secret: 'x' };
  expect(auditFields('displayName', 'isAdmin', 'redirectUris', 'avatarUrl')(of)).toEqual({
    display_name: 'Ada',
    is_admin: false,
    redirect_uris: 'a b',
    avatar_url: undefined,
  });
  // @ts-expect-error What is not there cannot be recorded.
  expect(auditFields('display_name')(of)).toEqual({ display_name: undefined });
});

eachDatabase('audit', (dialect) => {
  test('records who, what, when, from where, before and after', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    const token = await app.userToken(ada);
    await app.call('PATCH', '/v0.1/user', {
      token,
      body: { display_name: 'Ada Lovelace' },
      headers: { 'x-request-id': 'my-request' },
      remoteAddress: '192.0.2.7',
    });
    const [event] = (await app.call('GET', '/v0.1/admin/audit', { token, query: { limit: '1' } })).json().values;
    const [{ id: tokenId }] = (await app.call('GET', '/v0.1/api_tokens', { token })).json();
    expect(event).toMatchObject({
      at: '2026-11-01T09:00:00.000Z',
      action: 'user.update',
      actor: { kind: 'user', user_id: ada.id, name: 'ada', credential: 'token', token_id: tokenId },
      subject: { kind: 'user', id: ada.id, name: 'ada' },
      address: '192.0.2.7',
      request_id: 'my-request',
      before: { display_name: 'ada' },
      after: { display_name: 'Ada Lovelace' },
    });
  });

  test('records the kind of credential and the client of a change', async () => {
    const app = await testApp(dialect);
    const { user, client, browser, token } = await signedIn(app);
    const admin = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const id = '7a1c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11';
    await app.addSubscription(id, user.name);
    const feeds = `/subscriptions/${id}/providers/Vendor.ResourceHealth/feeds?api-version=2024-02-01`;
    await app.call('POST', feeds, { headers: { authorization: `Bearer ${token}` }, body: {} });
    await app.call('PATCH', '/v0.1/user', { headers: browser.headers, body: { display_name: 'Grace' } });
    const { values } = (await app.call('GET', '/v0.1/admin/audit?limit=2', { token: admin })).json();
    const by = { kind: 'user', user_id: user.id, name: user.name };
    expect(values).toMatchObject([{ action: 'user.update' }, { action: 'feed.create' }]);
    expect(values.map(({ actor }: { actor: object }) => actor)).toEqual([
      { ...by, credential: 'session' },
      { ...by, credential: 'oauth', client_id: client.id },
    ]);
  });

  test('records nothing for a rolled-back change', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const ctx = app.as(ada);
    const undone = tx(ctx, async (ctx) => {
      await record(ctx, 'user.update', { kind: 'user', id: ada.id });
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    const rows = await app.database.query((q) => q.selectFrom('audit_events').select('action'));
    expect(rows.map(({ action }) => action)).toEqual(['user.create']);
  });

  test('records nothing outside the transaction of a change', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    await expect(record(app.as(ada), 'user.update', { kind: 'user', id: ada.id })).rejects.toThrow('outside');
  });

  test('lists changes newest first without gaps or repetition, also for equal times', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    for (let n = 0; n < 6; n++) await app.userToken(ada, { description: `t${n}` });
    const token = await app.userToken(ada, { description: 'reader' });
    const names: (string | undefined)[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: '3', ...(cursor ? { cursor } : {}) };
      const page = (await app.call('GET', '/v0.1/admin/audit', { token, query })).json();
      names.push(...page.values.map((event: { subject: { name?: string } }) => event.subject.name));
      cursor = page.next_cursor;
    } while (cursor);
    expect(names).toEqual(['reader', 't5', 't4', 't3', 't2', 't1', 't0', 'ada']);
  });

  test('shows admins of an organization and managers of an app only their own changes', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const eve = await app.addUser('eve');
    await app.addOrg(ada, 'lighthouse');
    await app.addOrg(eve, 'elsewhere');
    const token = await app.userToken(ada);
    const body = { display_name: 'Compass', os: 'Android', platform: 'Java' };
    await app.call('POST', '/v0.1/orgs/lighthouse/apps', { token, body });
    await app.call('PATCH', '/v0.1/apps/lighthouse/compass', { token, body: { description: 'Finds north.' } });
    const actions = async (url: string, query: Record<string, string> = {}) =>
      (await app.call('GET', url, { token, query })).json().values.map(({ action }: { action: string }) => action);
    expect(await actions('/v0.1/orgs/lighthouse/audit')).toEqual(['app.update', 'app.create', 'org.create']);
    expect(await actions('/v0.1/apps/lighthouse/compass/audit')).toEqual(['app.update', 'app.create']);
    expect(await actions('/v0.1/orgs/lighthouse/audit', { action: 'app' })).toEqual(['app.update', 'app.create']);
    expect(await actions('/v0.1/orgs/lighthouse/audit', { action: 'app.create' })).toEqual(['app.create']);
    expect(await actions('/v0.1/orgs/lighthouse/audit', { actor: 'eve' })).toEqual([]);
    expect((await app.call('GET', '/v0.1/orgs/elsewhere/audit', { token })).statusCode).toBe(404);
  });

  test('retains changes forever or for the configured days, even if there are many', async () => {
    const app = await testApp(dialect);
    await tx(systemCtx(app.deps), async (ctx) => {
      for (let n = 0; n < 1001; n++) await record(ctx, 'user.update', { kind: 'user', id: `old-${n}` });
    });
    app.advance(1);
    const asOld = await app.addUser('grace');
    app.advance(31 * DAY);
    const young = await app.addUser('ada');
    const listSubjectIds = async () =>
      (await app.database.query((q) => q.selectFrom('audit_events').select('subject_id'))).map((one) => one.subject_id);
    await sweepAuditEvents(app.deps);
    expect((await listSubjectIds()).length).toBe(1003);
    await sweepAuditEvents({ ...app.deps, config: { ...app.deps.config, auditRetentionDays: 31 } });
    expect((await listSubjectIds()).sort()).toEqual([asOld.id, young.id].sort());
    expect(await app.logged()).toContain('"deleted":1001,"days":31');
  });

  test('logs how many changes were deleted, if any', async () => {
    const app = await testApp(dialect, { auditRetentionDays: 31 });
    const about = async () =>
      (await app.logged()).split('\n').filter((line) => line.includes('deleted expired audit events'));
    await sweepAuditEvents(app.deps);
    expect(await about()).toEqual([]);
    await app.addUser('ada');
    app.advance(31 * DAY + 1);
    await sweepAuditEvents(app.deps);
    expect(await about()).toEqual([expect.stringContaining('"deleted":1,')]);
  });

  test('records changes of resources without a name', async () => {
    const app = await testApp(dialect);
    await tx(systemCtx(app.deps), (ctx) => record(ctx, 'user.update', { kind: 'user', id: 'nameless' }));
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const { values } = (await app.call('GET', '/v0.1/admin/audit', { token, query: { action: 'user.update' } })).json();
    expect(values[0].subject).toEqual({ kind: 'user', id: 'nameless' });
    expect(values[0].actor).toEqual({ kind: 'system' });
  });

  test('filters by time, excluding the end', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    app.advance(1000);
    const token = await app.userToken(ada);
    const count = async (query: Record<string, string>) =>
      (await app.call('GET', '/v0.1/admin/audit', { token, query })).json().values.length;
    const [first, second] = ['2026-11-01T09:00:00Z', '2026-11-01T09:00:01Z'];
    expect(await count({ since: first })).toBe(2);
    expect(await count({ since: second })).toBe(1);
    expect(await count({ until: second })).toBe(1);
    expect(await count({ since: first, until: first })).toBe(0);
    const wrong = await app.call('GET', '/v0.1/admin/audit', { token, query: { since: 'yesterday' } });
    expect(wrong.statusCode).toBe(400);
  });

  test('names the token and its creator for changes with an app token', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const compass = await app.addApp(ada, 'compass');
    const [own, forApp] = [await app.userToken(ada), await app.appToken(compass, ada)];
    const url = '/v0.1/apps/ada/compass';
    await app.call('PATCH', url, { token: forApp, body: { description: 'Finds north.' } });
    const [{ id }] = (await app.call('GET', `${url}/api_tokens`, { token: own })).json();
    const query = { action: 'app.update' };
    const { values } = (await app.call('GET', `${url}/audit`, { token: own, query })).json();
    expect(values.map(({ actor }: { actor: object }) => actor)).toEqual([
      { kind: 'app', user_id: ada.id, name: 'ada', credential: 'token', token_id: id },
    ]);
  });

  test('records a change without an origin, and without values if it has none', async () => {
    const app = await testApp(dialect);
    await tx(systemCtx(app.deps), (ctx) => record(ctx, 'user.update', { kind: 'user', id: 'x' }, { before: { a: 1 } }));
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const query = { action: 'user.update' };
    const { values } = (await app.call('GET', '/v0.1/admin/audit', { token, query })).json();
    expect(values).toEqual([
      {
        id: expect.any(String),
        at: '2026-11-01T09:00:00.000Z',
        action: 'user.update',
        actor: { kind: 'system' },
        subject: { kind: 'user', id: 'x' },
        before: { a: 1 },
      },
    ]);
  });

  test('filters by actor and action together, and searches names', async () => {
    const app = await testApp(dialect);
    const [ada, grace] = [await app.addUser('ada', { isAdmin: true }), await app.addUser('grace')];
    await app.addApp(grace, 'compass');
    await app.addApp(ada, 'sextant');
    await app.userToken(grace, { description: 'nightly' });
    const token = await app.userToken(ada, { description: 'reader' });
    const found = async (query: Record<string, string>) =>
      (await app.call('GET', '/v0.1/admin/audit', { token, query }))
        .json()
        .values.map(({ action, subject }: { action: string; subject: { name: string } }) => [action, subject.name]);
    // No total: there may be millions of events.
    expect((await app.call('GET', '/v0.1/admin/audit', { token })).json()).not.toHaveProperty('total');
    expect(await found({ actor: 'grace' })).toEqual([
      ['api_token.create', 'nightly'],
      ['app.create', 'grace/compass'],
    ]);
    expect(await found({ actor: 'grace', action: 'app' })).toEqual([['app.create', 'grace/compass']]);
    expect(await found({ action: 'ap' })).toEqual([]);
    expect(await found({ action: 'api_token', order: 'asc' })).toEqual([
      ['api_token.create', 'nightly'],
      ['api_token.create', 'reader'],
    ]);
    expect(await found({ search: 'SEXTANT' })).toEqual([['app.create', 'ada/sextant']]);
    expect(await found({ search: 'grace app.create' })).toEqual([['app.create', 'grace/compass']]);
    expect(await found({ search: 'nobody' })).toEqual([]);
  });
});
