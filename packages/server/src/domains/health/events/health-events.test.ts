import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { recorded } from '../../../../test/harness/audit.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';
import { publishEvent } from './health-events.ts';
import type { Event } from './rendering.ts';

const version = '?api-version=2024-02-01';
const at = (name: string, more = '') => `/providers/Vendor.ResourceHealth/events/${name}${more}${version}`;
const subscription = '11111111-1111-4111-8111-111111111111';

const region = (impactedRegion: string, more = {}) => ({ impactedRegion, ...more });
const mail = (...impactedRegions: object[]) => [{ impactedService: 'Mail', impactedRegions }];
const issue = { eventType: 'ServiceIssue', title: 'Mail is slow' };

async function createFixtures(dialect: DialectName, settings = {}) {
  const app = await testApp(dialect, settings);
  const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
  const put = (name: string, properties: object, headers = {}) =>
    app.call('PUT', at(name), { token, body: { properties }, headers });
  const patch = (name: string, properties: object, headers = {}) =>
    app.call('PATCH', at(name), { token, body: { properties }, headers });
  const update = (name: string, body: object) => app.call('POST', at(name, '/updates'), { token, body });
  return { app, token, put, patch, update };
}

const actions = async (app: TestApp): Promise<string[]> =>
  (await app.database.query((q) => q.selectFrom('audit_events').select('action').orderBy('id')))
    .map(({ action }) => action)
    .filter((action) => action.startsWith('health_event'));

eachDatabase('publishing', (dialect) => {
  test('records an application as the author for a service account, and for a program that acts for itself', async () => {
    const { app } = await createFixtures(dialect);
    const ada = app.as(await app.addUser('grace'));
    const { user } = ada.actor;
    const robot = { ...user, email: 'robot@service.invalid' };
    const token = { kind: 'token', id: 't' } as const;
    const oauth = { kind: 'oauth', id: user.id } as const;
    for (const [actor, type] of [
      [{ user, credential: token }, 'Key'],
      [{ user, credential: oauth }, 'User'],
      [{ user: robot, credential: token }, 'Application'],
      [{ user, credential: { ...oauth, isClientItself: true } }, 'Application'],
    ] as const) {
      const ctx = { ...ada, actor: { ...ada.actor, ...actor } };
      const draft = { eventType: 'ServiceIssue', title: 'Mail is slow' } as const;
      const { json } = await publishEvent(ctx, { trackingId: `BC_${app.deps.newId()}`, draft });
      expect(JSON.parse(json).systemData).toMatchObject({ createdBy: actor.user.email, createdByType: type });
    }
  });

  test('shows the sent fields and computes derived ones', async () => {
    const { put } = await createFixtures(dialect);
    const response = await put('BC_1-FXZ', {
      ...issue,
      eventLevel: 'Warning',
      impactStartTime: '2026-11-01T10:00:00+02:00',
      impact: mail(region('North', { impactedSubscriptions: [subscription.toUpperCase(), subscription] })),
      enableVendorSupport: true,
      priority: 4,
    });
    expect(response.statusCode).toBe(201);
    expect(response.headers.etag).toMatch(/^"[\d.]+"$/);
    const now = '2026-11-01T09:00:00.000Z';
    expect(response.json()).toEqual({
      id: '/providers/Vendor.ResourceHealth/events/BC_1-FXZ',
      name: 'BC_1-FXZ',
      type: '/providers/Vendor.ResourceHealth/events',
      systemData: {
        createdAt: now,
        createdBy: 'ada@example.com',
        createdByType: 'Key',
        lastModifiedAt: now,
        lastModifiedBy: 'ada@example.com',
        lastModifiedByType: 'Key',
      },
      properties: {
        ...issue,
        status: 'Active',
        eventLevel: 'Warning',
        impactStartTime: '2026-11-01T08:00:00.000Z',
        impact: mail({
          impactedRegion: 'North',
          status: 'Active',
          impactedSubscriptions: [subscription],
          impactedTenants: [],
          lastUpdateTime: now,
        }),
        isHIR: false,
        enableVendorSupport: true,
        priority: 4,
        lastUpdateTime: now,
      },
    });
  });

  test('a replacement keeps the creator, increases the time, and ignores case in the name', async () => {
    const { app, put } = await createFixtures(dialect);
    await put('One', { ...issue, impact: mail(region('North'), region('South')) });
    const second = await put('ONE', {
      ...issue,
      impact: mail(region('North'), region('South', { status: 'Resolved' })),
    });
    expect(second.statusCode).toBe(200);
    const { name, properties, systemData } = second.json<Event>();
    expect(name).toBe('One');
    expect(properties.lastUpdateTime).toBe('2026-11-01T09:00:00.001Z');
    expect(systemData.createdAt).toBe('2026-11-01T09:00:00.000Z');
    const times = properties.impact?.[0]?.impactedRegions?.map(({ lastUpdateTime }) => lastUpdateTime);
    expect(times).toEqual(['2026-11-01T09:00:00.000Z', '2026-11-01T09:00:00.001Z']);
    expect(await app.database.query((q) => q.selectFrom('health_events').select('name'))).toEqual([{ name: 'One' }]);
  });

  test('resolves the event with end and duration when every region is resolved, and can reopen it', async () => {
    const { app, put, update } = await createFixtures(dialect);
    await put('ONE', { ...issue, impact: mail(region('North'), region('South')) });
    app.advance(60_000);
    const half = await update('ONE', { service: 'mail', region: 'NORTH', summary: 'Fine.', status: 'Resolved' });
    expect(half.json<Event>().properties).toMatchObject({ status: 'Active', priority: 6 });
    app.advance(60_500);
    const done = (
      await update('ONE', { service: 'Mail', region: 'South', summary: 'Fine.', status: 'Resolved' })
    ).json<Event>();
    expect(done.properties).toMatchObject({
      status: 'Resolved',
      priority: 7,
      impactMitigationTime: '2026-11-01T09:02:00.500Z',
      duration: 120,
      lastUpdateTime: '2026-11-01T09:02:00.500Z',
    });
    app.advance(1000);
    const again = await update('ONE', { service: 'Mail', region: 'South', summary: 'Not fine.', status: 'Active' });
    const { properties } = again.json<Event>();
    expect(properties.status).toBe('Active');
    expect(properties.impactMitigationTime).toBeUndefined();
    expect(properties.duration).toBeUndefined();
    expect(properties.impact?.[0]?.impactedRegions?.[1]?.updates).toEqual([
      { summary: 'Not fine.', updateDateTime: '2026-11-01T09:02:01.500Z' },
      { summary: 'Fine.', updateDateTime: '2026-11-01T09:02:00.500Z' },
    ]);
    expect(await actions(app)).toEqual([
      'health_event.publish',
      'health_event.update',
      'health_event.resolve',
      'health_event.reopen',
    ]);
  });

  test('a patch merges, null removes, and a status alone applies to every region', async () => {
    const { put, patch } = await createFixtures(dialect);
    await put('ONE', { ...issue, summary: 'Slow.', reason: 'Disk', impact: mail(region('North')) });
    const changed = await patch('ONE', { title: 'Mail is fast', reason: null, article: { articleId: 'a' } });
    expect(changed.json<Event>().properties).toMatchObject({ title: 'Mail is fast', summary: 'Slow.' });
    expect(changed.json<Event>().properties.reason).toBeUndefined();
    const resolved = (await patch('ONE', { status: 'Resolved' })).json<Event>();
    expect(resolved.properties.status).toBe('Resolved');
    expect(resolved.properties.impact?.[0]?.impactedRegions?.[0]?.status).toBe('Resolved');
  });

  test('keeps a planned end while it is in the future, and replaces it by the real one', async () => {
    const { app, put, patch } = await createFixtures(dialect);
    const planned = { eventType: 'PlannedMaintenance', title: 'New disks', impact: mail(region('North')) };
    const end = '2026-11-01T10:00:00.000Z';
    const first = await put('ONE', { ...planned, impactMitigationTime: end });
    expect(first.json<Event>().properties).toMatchObject({ impactMitigationTime: end, duration: 3600 });
    app.advance(60_000);
    const early = (await patch('ONE', { status: 'Resolved' })).json<Event>();
    expect(early.properties).toMatchObject({ impactMitigationTime: '2026-11-01T09:01:00.000Z', duration: 60 });
  });

  test('ETags keep two operators from overwriting each other', async () => {
    const { app, token, put, patch } = await createFixtures(dialect);
    const first = await put('ONE', issue, { 'if-none-match': '*' });
    expect(first.statusCode).toBe(201);
    expect((await put('one', issue, { 'if-none-match': '*' })).json()).toMatchObject({ code: 'PreconditionFailed' });
    const etag = String(first.headers.etag);
    const second = await patch('ONE', { title: 'B' }, { 'if-match': etag });
    expect(second.statusCode).toBe(200);
    for (const refused of [
      await patch('ONE', { title: 'C' }, { 'if-match': etag }),
      await put('ONE', issue, { 'if-match': etag }),
      await put('TWO', issue, { 'if-match': '*' }),
      await app.call('DELETE', at('ONE'), { token, headers: { 'if-match': etag } }),
    ]) {
      expect([refused.statusCode, refused.json().code]).toEqual([412, 'PreconditionFailed']);
    }
    const read = await app.call('GET', at('ONE'), { token });
    expect([read.headers.etag, read.json<Event>().properties.title]).toEqual([second.headers.etag, 'B']);
    const deleted = await app.call('DELETE', at('ONE'), { token, headers: { 'if-match': String(read.headers.etag) } });
    expect(deleted.statusCode).toBe(204);
    const recreated = await put('ONE', issue);
    expect([recreated.statusCode, recreated.headers.etag === etag]).toEqual([201, false]);
  });

  test('concurrent publications or changes of one event leave no stray entry in the index', async () => {
    const { app, put, patch } = await createFixtures(dialect);
    const responses = await atOnce(
      app,
      ['North', 'South', 'East'].map((name) => () => put('ONE', { ...issue, impact: mail(region(name)) })),
    );
    for (const { statusCode } of responses) expect([200, 201, 409]).toContain(statusCode);
    const changes = await atOnce(
      app,
      ['West', 'North', 'South'].map((name) => () => patch('ONE', { impact: mail(region(name)) })),
    );
    expect(changes.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const facets = await app.database.query((q) =>
      q.selectFrom('health_index').select('facet').where('facet', 'like', 'r:%'),
    );
    expect(facets.length).toBe(1);
    const [event] = await app.database.query((q) => q.selectFrom('health_events').select('facets'));
    expect(event?.facets).toContain(facets[0]?.facet);
  });

  test('a region accepts 500 updates, and refuses one more by any operation', async () => {
    const { app, put, patch, update } = await createFixtures(dialect);
    const updates = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ summary: `${n}`, updateDateTime: '2026-11-01T08:00:00Z' }));
    expect((await put('ONE', { ...issue, impact: mail(region('North', { updates: updates(499) })) })).statusCode).toBe(
      201,
    );
    const add = () => update('ONE', { service: 'Mail', region: 'North', summary: 'one more' });
    expect((await add()).statusCode).toBe(200);
    const refused = await add();
    expect([refused.statusCode, refused.json().message]).toEqual([
      409,
      'The region already has 500 updates, the maximum. Publish a new event for further updates.',
    ]);
    const tooMany = { impact: mail(region('North', { updates: updates(501) })) };
    expect((await put('ONE', { ...issue, ...tooMany })).statusCode).toBe(400);
    expect((await patch('ONE', tooMany)).statusCode).toBe(400);
    const [row] = await app.database.query((q) => q.selectFrom('health_events').select('revision'));
    expect(row?.revision).toBe(2);
  });

  test('a withdrawn event disappears from every list', async () => {
    const { app, token, put } = await createFixtures(dialect);
    await put('ONE', { ...issue, impact: mail(region('North')) });
    expect((await app.call('DELETE', at('one'), { token })).statusCode).toBe(204);
    expect((await app.call('GET', at('ONE'), { token })).statusCode).toBe(404);
    expect((await app.call('DELETE', at('ONE'), { token })).statusCode).toBe(404);
    expect(await app.database.query((q) => q.selectFrom('health_index').select('name'))).toEqual([]);
    expect(await actions(app)).toEqual(['health_event.publish', 'health_event.withdraw']);
  });

  test.each([
    [{ title: 'x' }, 'properties.eventType is missing.'],
    [{ ...issue, title: '' }, 'properties.title must not be empty.'],
    [{ ...issue, eventType: 'Outage' }, 'properties.eventType must be one of'],
    [{ ...issue, impact: mail({}) }, 'properties.impact.0.impactedRegions.0.impactedRegion is missing.'],
    [{ ...issue, impact: mail(region('a\nb')) }, 'impactedRegion is not valid: A single line, not blank.'],
    [{ ...issue, impact: mail(region('N'), region('n')) }, 'impactedRegions.1.impactedRegion repeats "n"'],
    [{ ...issue, impact: [...mail(), ...mail()] }, 'properties.impact.1.impactedService repeats "Mail"'],
    [
      { ...issue, impact: mail(region('N', { impactedSubscriptions: ['x'] })) },
      'properties.impact.0.impactedRegions.0.impactedSubscriptions.0 must be a UUID.',
    ],
    [{ ...issue, impactStartTime: 'yesterday' }, 'properties.impactStartTime must be a time such as'],
    [
      {
        ...issue,
        status: 'Resolved',
        impactStartTime: '2026-10-02T00:00:00Z',
        impactMitigationTime: '2026-10-01T00:00:00Z',
      },
      'properties.impactMitigationTime must not be before impactStartTime.',
    ],
    [
      { ...issue, status: 'Resolved', impact: mail(region('N', { status: 'Active' })) },
      'properties.status is Resolved, but the region "N" is Active.',
    ],
    [
      { ...issue, status: 'Active', impact: mail(region('N', { status: 'Resolved' })) },
      'properties.status is Active, but every region is Resolved.',
    ],
    [
      { ...issue, impactMitigationTime: '2026-10-01T00:00:00Z' },
      'properties.impactMitigationTime is in the past, but the event is Active.',
    ],
    [
      { ...issue, status: 'Resolved', impactMitigationTime: '2027-10-01T00:00:00Z' },
      'properties.impactMitigationTime is in the future, but the event is Resolved.',
    ],
    [{ ...issue, priority: 99 }, 'properties.priority follows from eventType, eventLevel and status, and is 6'],
  ])('%j is refused: %s', async (properties, message) => {
    const { put, patch } = await createFixtures(dialect);
    const refused = await put('ONE', properties);
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'BadRequest']);
    expect(refused.json().message).toContain(message);
    await put('TWO', issue);
    expect((await patch('TWO', { title: null })).json().message).toBe('properties.title is missing.');
  });

  test('a change that contradicts the event is refused, and one that follows from it is not', async () => {
    const { put, patch } = await createFixtures(dialect);
    await put('ONE', { ...issue, impact: mail(region('N'), region('S')) });
    const half = mail(region('N', { status: 'Resolved' }), region('S', { status: 'Active' }));
    const getMessage = async (change: object) => (await patch('ONE', change)).json().message;
    expect(await getMessage({ status: 'Resolved', impact: half })).toContain('the region "S" is Active');
    expect(await getMessage({ impactMitigationTime: '2026-10-01T00:00:00Z' })).toContain('the event is Active');
    expect(await getMessage({ priority: 0 })).toContain('Omit it.');
    const { properties } = (await patch('ONE', { impact: half })).json<Event>();
    expect(properties.status).toBe('Active');
    expect((await patch('ONE', { priority: properties.priority })).statusCode).toBe(200);
    const whole = mail(region('N', { status: 'Resolved' }), region('S', { status: 'Resolved' }));
    expect((await patch('ONE', { impact: whole })).json<Event>().properties.status).toBe('Resolved');
    expect((await patch('ONE', { status: 'Active' })).json<Event>().properties.status).toBe('Active');
  });

  test('an event with too many audiences and facets is refused before it is written', async () => {
    const { put } = await createFixtures(dialect, { bodyLimit: 10_000_000 });
    const ids = Array.from({ length: 600 }, (_, n) => `66666666-6666-4666-8666-${String(n).padStart(12, '0')}`);
    const regions = Array.from({ length: 50 }, (_, n) => region(`Region ${n}`, { impactedSubscriptions: ids }));
    const refused = await put('ONE', { ...issue, impact: mail(...regions) });
    expect([refused.statusCode, refused.json().message]).toEqual([400, expect.stringContaining('Split the event')]);
  });

  test('sanitizes article HTML in every operation that accepts it', async () => {
    const { put, patch } = await createFixtures(dialect);
    const article = { articleContent: '<p onclick="x()">Hello<script>alert(1)</script></p>' };
    const published = (await put('ONE', { ...issue, article })).json<Event>();
    expect(published.properties.article?.articleContent).toBe('<p>Hello</p>');
    const patched = (
      await patch('ONE', { article: { articleContent: '<b onload=x>B</b><iframe></iframe>' } })
    ).json<Event>();
    expect(patched.properties.article?.articleContent).not.toMatch(/onload|iframe/);
  });

  test('accepts either spelling of the vendor field, and sends the configured one', async () => {
    const { app, token, put, patch } = await createFixtures(dialect, { vendorName: 'Contoso' });
    const first = await put('ONE', { ...issue, enableContosoSupport: true });
    expect(first.json()).toMatchObject({
      id: '/providers/Contoso.ResourceHealth/events/ONE',
      type: '/providers/Contoso.ResourceHealth/events',
      properties: { enableContosoSupport: true },
    });
    expect((await patch('ONE', { enableVendorSupport: false })).json().properties.enableContosoSupport).toBe(false);
    expect((await put('ONE', { ...issue, enableContosoSupport: 'yes' })).statusCode).toBe(400);
    const response = await app.call('GET', `/PROVIDERS/contoso.resourcehealth/Events/one${version}`, { token });
    expect(response.statusCode).toBe(200);
    Object.assign(app.deps.config, { vendorName: 'Vendor' });
    expect((await app.call('GET', at('ONE'), { token })).json().id).toBe('/providers/Vendor.ResourceHealth/events/ONE');
  });

  test('an update to a region that the event does not have is a 404', async () => {
    const { put, update } = await createFixtures(dialect);
    await put('ONE', { ...issue, impact: mail(region('North')) });
    const refused = await update('ONE', { service: 'Mail', region: 'Nowhere', summary: 'x' });
    expect([refused.statusCode, refused.json().code]).toEqual([404, 'ResourceNotFound']);
    expect((await update('NONE', { service: 'Mail', region: 'North', summary: 'x' })).statusCode).toBe(404);
  });

  test('users publish after an administrator appoints them, until they are removed', async () => {
    const { app, token } = await createFixtures(dialect);
    const grace = await app.userToken(await app.addUser('grace'));
    const publish = async () =>
      (await app.call('PUT', at('ONE'), { token: grace, body: { properties: issue } })).statusCode;
    const rights = async (caller: string) =>
      (await app.call('GET', '/v0.1/user/health_rights', { token: caller })).json().is_operator;
    expect([await publish(), await rights(grace), await rights(token)]).toEqual([403, false, true]);
    await app.call('POST', '/v0.1/admin/health_operators', { token, body: { user_name: 'Grace' } });
    expect([await publish(), await rights(grace)]).toEqual([201, true]);
    const listed = await app.call('GET', '/v0.1/admin/health_operators', { token });
    expect(listed.json()).toMatchObject([{ name: 'grace', email: 'grace@example.com' }]);
    await app.call('DELETE', '/v0.1/admin/health_operators/grace', { token });
    expect([await publish(), await rights(grace)]).toEqual([403, false]);
    expect((await app.call('DELETE', '/v0.1/admin/health_operators/grace', { token })).statusCode).toBe(404);
  });

  test('every change of an event is in the audit log, with its title, status and priority before and after', async () => {
    const { app, token, put, update } = await createFixtures(dialect);
    await put('One', { ...issue, impact: mail(region('North')) });
    await put('ONE', { ...issue, title: 'Mail is slower', impact: mail(region('North')) });
    await update('one', { service: 'Mail', region: 'North', summary: 'Better.', status: 'Resolved' });
    await app.call('DELETE', at('one'), { token });
    const log = await recorded(app, 'health_event');
    const slow = { title: 'Mail is slow', status: 'Active', priority: 6 };
    const slower = { ...slow, title: 'Mail is slower' };
    expect(log.map(({ before, after }) => [before, after])).toEqual([
      [undefined, slow],
      [slow, slower],
      [slower, { ...slower, status: 'Resolved', priority: 7 }],
      [{ title: 'Mail is slower', status: 'Resolved' }, undefined],
    ]);
    expect(log.map(({ subject }) => subject.id)).toEqual(['One', 'One', 'One', 'One']);
    expect(log.map(({ action }) => action)).toEqual([
      'health_event.publish',
      'health_event.update',
      'health_event.resolve',
      'health_event.withdraw',
    ]);
  });
});
