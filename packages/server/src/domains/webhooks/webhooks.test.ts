import { announcements, WEBHOOKS_PER_OWNER } from '@mooring/contract';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { receiver, verified } from '../../../../../test-support/webhook-receiver.ts';
import { createApk } from '../../../../../tools/samples/packages.ts';
import { testApp } from '../../../test/harness/app.ts';
import { recorded } from '../../../test/harness/audit.ts';
import { notifyExpiringTokens, sendLogs } from '../../../test/harness/background-work.ts';
import { crash } from '../../../test/harness/crashes.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';
import { sweepDeliveries } from '../../outbound/delivery/deliveries.ts';
import { sendMail } from '../mail/index.ts';
import { sweepWebhooks } from './webhook-channel.ts';

const ajv = addFormats.default(new Ajv({ strict: false }));
const subscription = '11111111-1111-4111-8111-111111111111';

/** Ada administers the organization harbour and its app buoy; Grace may only view the app. */
async function withOrgApp(dialect: DialectName) {
  const app = await testApp(dialect, {
    outboundAllow: ['127.0.0.0/8'],
    publicUrl: 'https://mooring.example.com',
  });
  const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
  const org = await app.addOrg(ada, 'harbour');
  const ref = await app.addOrgApp(org, ada, 'buoy');
  await app.addMember(ref, grace, 'viewer');
  const tokens = { ada: await app.userToken(ada), grace: await app.userToken(grace) };
  const ofApp = '/v0.1/apps/harbour/buoy/webhooks';
  const ofOrg = '/v0.1/orgs/harbour/webhooks';
  const request = async (method: string, url: string, body?: object, token = tokens.ada) => {
    const response = await app.call(method, url, { token, body });
    return { status: response.statusCode, body: response.body ? response.json() : undefined };
  };
  const target = await receiver();
  const add = async (home: string, event_types: string[], more: object = {}) => {
    const { status, body } = await request('POST', home, { url: target.url, event_types, ...more });
    expect(status, JSON.stringify(body)).toBe(201);
    return body as { id: string; secret: string; url: string };
  };
  const sendCrash = async (sent = {}) => {
    await sendLogs(app, ref.id, [crash(sent)]);
    await app.runJobs();
  };
  return { app, ada, grace, org, ref, tokens, ofApp, ofOrg, request, target, add, sendCrash };
}

eachDatabase('webhooks of apps and organizations', (dialect) => {
  test('sends an app event once, signed, to the subscribed webhooks of the app and its organization', async () => {
    const { target, add, ofApp, ofOrg, sendCrash, request, app } = await withOrgApp(dialect);
    const one = await add(ofApp, ['newCrashGroupCreated'], { name: 'Crashes' });
    const plain = await add(ofOrg, ['newCrashGroupCreated', 'memberJoined'], { format: 'plain' });
    await add(ofApp, ['newAppReleased']);
    await add(ofApp, ['newCrashGroupCreated'], { enabled: false });
    await sendCrash();
    await sendCrash();
    expect(target.received).toHaveLength(2);
    const byType = (type: string) =>
      target.received.find(({ headers }) => String(headers['content-type']).startsWith(type)) ?? {
        headers: {},
        body: '',
      };
    const event = verified(byType('application/cloudevents+json'), one.secret);
    expect(event).toMatchObject({ specversion: '1.0', type: 'mooring.newCrashGroupCreated', subject: 'harbour/buoy' });
    expect(event.data).toMatchObject({
      app_name: 'buoy',
      kind: 'crash',
      is_new_issue: true,
      app_version: '1.4.0(140)',
      reason: 'java.lang.IllegalStateException: cart empty',
      url: `https://mooring.example.com/orgs/harbour/apps/buoy/crashes/${event.data.issue_id}`,
    });
    expect(event.data.stack_trace[0]).toContain('Cart');
    expect(ajv.validate(announcements.newCrashGroupCreated.data, event.data), JSON.stringify(ajv.errors)).toBe(true);
    expect(verified(byType('application/json'), plain.secret)).toEqual(event.data);
    const { values } = (await request('GET', `${ofApp}/${one.id}/deliveries`)).body;
    expect(values).toMatchObject([{ event_type: 'newCrashGroupCreated', state: 'Delivered', is_replay: false }]);
    app.advance(HOUR);
    const replayed = await request('POST', `${ofApp}/${one.id}/deliveries/${values[0].id}/replay`, {});
    expect([replayed.status, replayed.body.is_replay]).toEqual([201, true]);
    await app.runJobs();
    expect(verified(target.received[2] ?? { headers: {}, body: '' }, one.secret)).toEqual(event);
  });

  test('a filter selects which events of an app and of an organization are sent', async () => {
    const { app, target, add, ofApp, ofOrg, sendCrash, request } = await withOrgApp(dialect);
    const types = ['newCrashGroupCreated'];
    const matching = await add(ofApp, types, { filter: "kind eq 'crash' and app_version eq '1.4.0(140)'" });
    await add(ofApp, types, { filter: "not (kind eq 'crash')" });
    await add(ofApp, types, { filter: 'crash_count gt 100' });
    await add(ofOrg, types, { filter: "app_name eq 'compass'" });
    const ofThisApp = await add(ofOrg, types, {
      filter: "event_type eq 'newCrashGroupCreated' and is_new_issue eq true",
    });
    await sendCrash();
    const listStates = async (home: string, id: string) =>
      (await request('GET', `${home}/${id}/deliveries`)).body.values.map(({ state }: { state: string }) => state);
    expect([
      target.received.length,
      await listStates(ofApp, matching.id),
      await listStates(ofOrg, ofThisApp.id),
    ]).toEqual([2, ['Delivered'], ['Delivered']]);
    // A test ignores the filter; an empty filter is removed.
    const changed = await request('PATCH', `${ofApp}/${matching.id}`, { filter: '' });
    expect(changed.body).not.toHaveProperty('filter');
    for (const [filter, message] of [
      ["severity eq 'high'", '"severity" is not a property to filter by. Use one of: event_type, '],
      ["app_name gt 'a'", '"gt" does not work with app_name'],
      ['crash_count gt many', 'needs a number such as 99.5'],
      ["app_name eq 'a", 'is not closed'],
    ] as const) {
      const refused = await request('PATCH', `${ofApp}/${matching.id}`, { filter });
      expect([filter, refused.status, refused.body.message]).toEqual([filter, 400, expect.stringContaining(message)]);
    }
    expect((await recorded(app, 'webhook.update'))[0]).toMatchObject({ before: { filter: expect.any(String) } });
  });

  test('announces releases, members, expiring tokens and health events as their schemas describe', async () => {
    const { app, ada, grace, org, ref, target, add, ofOrg, request, tokens } = await withOrgApp(dialect);
    const { secret } = await add(ofOrg, [
      'newAppReleased',
      'memberJoined',
      'appTokenExpiring',
      'serviceAccountTokenExpiring',
      'healthEventChanged',
    ]);
    const B = '/v0.1/apps/harbour/buoy';
    const headers = { 'content-type': 'application/octet-stream' };
    await app.call('PUT', `${B}/releases/uploads?file_name=app.apk`, { token: tokens.ada, body: createApk(), headers });
    await app.runJobs();
    const group = (await request('POST', `${B}/distribution_groups`, { name: 'Crew' })).body;
    await request('POST', `${B}/releases/1/groups`, { id: group.id });
    await app.addToOrg(org, grace, 'member');
    await app.addToOrg(org, grace, 'collaborator');
    const now = app.deps.clock.now();
    await app.appToken(ref, ada, { expiresAt: now + 3 * DAY, description: 'Pipeline' });
    await app.appToken(ref, ada, { expiresAt: now + 30 * DAY });
    await request('POST', '/v0.1/orgs/harbour/service_accounts', {
      name: 'robot',
      display_name: 'Robot',
      role: 'member',
    });
    const made = await request('POST', '/v0.1/orgs/harbour/service_accounts/robot/api_tokens', {
      expires_at: new Date(now + DAY).toISOString(),
    });
    expect(made.status).toBe(201);
    await notifyExpiringTokens(app);
    await notifyExpiringTokens(app);
    await app.addSubscription(subscription, 'harbour');
    await app.publish('ONE');
    await app.runJobs();
    await app.runJobs();

    const events = target.received.map((message) => verified(message, secret));
    const dataByType = Object.fromEntries(events.map(({ type, data }) => [type.replace('mooring.', ''), data]));
    expect(events.map(({ type }) => type).sort()).toEqual(
      ['appTokenExpiring', 'healthEventChanged', 'memberJoined', 'newAppReleased', 'serviceAccountTokenExpiring'].map(
        (type) => `mooring.${type}`,
      ),
    );
    for (const [type, data] of Object.entries(dataByType)) {
      const { data: schema } = announcements[type as keyof typeof announcements];
      expect(ajv.validate(schema, data), `${type} ${JSON.stringify(ajv.errors)}`).toBe(true);
    }
    expect(dataByType.newAppReleased).toMatchObject({ release_id: '1', destination_name: 'Crew', installable: true });
    expect(dataByType.memberJoined).toMatchObject({ user_name: 'grace', role: 'member' });
    expect(dataByType.appTokenExpiring).toMatchObject({ description: 'Pipeline', created_by: 'ada' });
    expect(dataByType.healthEventChanged).toMatchObject({
      tracking_id: 'ONE',
      change: 'published',
      subscription_id: subscription,
    });
  });

  test('hides the URL and the response from read-only callers and rejects their changes', async () => {
    const { app, ada, target, add, ofApp, ofOrg, request, tokens } = await withOrgApp(dialect);
    const url = `${target.url}/secret-path`;
    const { id } = await add(ofApp, ['newCrashGroupCreated'], { url });
    target.answerWith((response) => response.writeHead(500).end('no POST /hook/secret-path'));
    await request('POST', `${ofApp}/${id}/test`, {});
    await app.runJobs();
    const readOnly = await app.userToken(ada, { scope: ['viewer'] });
    for (const token of [tokens.grace, readOnly]) {
      const seen = await Promise.all(
        [ofApp, `${ofApp}/${id}`, `${ofApp}/${id}/deliveries`].map((path) => request('GET', path, undefined, token)),
      );
      expect(seen.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(JSON.stringify(seen)).not.toContain('secret-path');
      for (const [method, path] of [
        ['POST', ofApp],
        ['PATCH', `${ofApp}/${id}`],
        ['DELETE', `${ofApp}/${id}`],
        ['POST', `${ofApp}/${id}/rotate`],
        ['POST', `${ofApp}/${id}/test`],
      ] as const) {
        const { status, body } = await request(method, path, { url, event_types: ['newAppReleased'] }, token);
        expect([method, path, status, body.code, typeof body.request_id]).toEqual([method, path, 403, 403, 'string']);
      }
    }
    expect((await request('GET', ofOrg, undefined, tokens.grace)).status).toBe(404);
    expect(JSON.stringify((await request('GET', `${ofApp}/${id}/deliveries`)).body)).toContain('secret-path');
  });

  test('a change keeps omitted fields', async () => {
    const { add, ofApp, request } = await withOrgApp(dialect);
    const { id } = await add(ofApp, ['newCrashGroupCreated'], { name: 'Crashes' });
    const path = `${ofApp}/${id}`;
    const named = await request('PATCH', path, { name: 'All' });
    expect(named.body).toMatchObject({ name: 'All', event_types: ['newCrashGroupCreated'], enabled: true });
    const updated = await request('PATCH', path, { event_types: ['newAppReleased'] });
    expect(updated.body).toMatchObject({ name: 'All', event_types: ['newAppReleased'], enabled: true });
    const disabled = await request('PATCH', path, { enabled: false });
    expect(disabled.body).toMatchObject({ name: 'All', event_types: ['newAppReleased'], enabled: false });
  });

  test('rejects invalid webhooks and says what to do', async () => {
    const { app, add, ofApp, ofOrg, request, target } = await withOrgApp(dialect);
    const { id } = await add(ofApp, ['newCrashGroupCreated']);
    const { id: orgs } = await add(ofOrg, ['memberJoined']);
    const types = ['newCrashGroupCreated'];
    for (const [body, message] of [
      [{ url: 'http://10.0.0.7/x', event_types: types }, 'https://'],
      [{ url: 'https://169.254.169.254/latest', event_types: types }, 'not a public address'],
      [{ url: 'https://a:b@hooks.example.com/', event_types: types }, 'user name or password'],
      [{ url: target.url, event_types: ['memberJoined'] }, 'only organizations have'],
      [{ url: target.url, event_types: [] }, 'event_types'],
      [{ url: target.url, event_types: ['newCrashGroupCreated', 'newCrashGroupCreated'] }, 'event_types'],
      [{ url: target.url, event_types: ['buildExploded'] }, 'event_types'],
    ] as const) {
      const { status, body: response } = await request('POST', ofApp, body);
      expect([body, status, response.message]).toEqual([body, 400, expect.stringContaining(message)]);
    }
    expect((await request('POST', `${ofApp}/${id}/test`, { event_type: 'newAppReleased' })).status).toBe(400);
    // A webhook of the organization is not accessible through the app, and vice versa.
    expect((await request('GET', `${ofApp}/${orgs}`)).status).toBe(404);
    expect((await request('DELETE', `${ofOrg}/${id}`)).status).toBe(404);
    await request('PATCH', `${ofApp}/${id}`, { enabled: false });
    expect((await request('POST', `${ofApp}/${id}/test`, {})).status).toBe(409);
    for (let count = 2; count < WEBHOOKS_PER_OWNER; count += 1) await add(ofApp, types);
    const make = () => request('POST', ofApp, { url: target.url, event_types: types });
    expect((await atOnce(app, [make, make])).map((response) => response.status).sort()).toEqual([201, 409]);
  });

  test('the URL is sealed, including one that an earlier version stored', async () => {
    const { app, add, ofApp, request, target } = await withOrgApp(dialect);
    const url = `${target.url}/secret-path`;
    const { id } = await add(ofApp, ['newCrashGroupCreated'], { url });
    const rows = async () =>
      JSON.stringify(await app.database.query((q) => q.selectFrom('delivery_endpoints').selectAll()));
    expect(await rows()).not.toContain('secret-path');
    expect((await request('GET', `${ofApp}/${id}`)).body.url).toBe(url);
    await app.database.transaction((db) =>
      db.query((q) => q.updateTable('delivery_endpoints').set({ url, sealed_url: null })),
    );
    expect((await request('GET', `${ofApp}/${id}`)).body.url).toBe(url);
    await sweepDeliveries(app.deps);
    expect(await rows()).not.toContain('secret-path');
    expect((await request('GET', `${ofApp}/${id}`)).body.url).toBe(url);
    await request('POST', `${ofApp}/${id}/test`, {});
    await app.runJobs();
    expect(target.received).toHaveLength(1);
  });

  test('disables the webhooks of a transferred app and notifies its managers', async () => {
    const { app, add, ofApp, request, sendCrash, target } = await withOrgApp(dialect);
    const { id } = await add(ofApp, ['newCrashGroupCreated'], { name: 'Chat' });
    await request('POST', '/v0.1/apps/harbour/buoy/transfer/ada', {});
    const moved = await request('GET', `/v0.1/apps/ada/buoy/webhooks/${id}`);
    expect(moved.body).toMatchObject({ enabled: false, disabled_reason: 'AccessLost' });
    const mails = await app.database.query((q) => q.selectFrom('mails').select(['to', 'subject', 'text']));
    expect(mails).toMatchObject([{ to: 'ada@example.com', subject: expect.stringContaining('was disabled') }]);
    await sendCrash();
    expect(target.received).toEqual([]);
    const [, disabled] = await recorded(app, 'webhook.');
    expect(disabled).toMatchObject({ action: 'webhook.disable', after: { reason: 'AccessLost' } });
  });

  test('stays enabled one millisecond short of five days of failures, and is disabled at five days', async () => {
    const { add, app, request, ofApp, sendCrash, target } = await withOrgApp(dialect);
    const { id } = await add(ofApp, ['newCrashGroupCreated']);
    const state = async () => (await request('GET', `${ofApp}/${id}`)).body;
    target.answerWith((response) => response.writeHead(500).end());
    await sendCrash();
    app.advance(5 * DAY - 1);
    await app.runJobs();
    expect(await state()).toMatchObject({ enabled: true });
    app.advance(1);
    await request('POST', `${ofApp}/${id}/test`, {});
    await app.runJobs();
    expect(await state()).toMatchObject({ enabled: false, disabled_reason: 'Failing' });
  });

  test('does not email an address that reached its hourly limit about a disabled webhook', async () => {
    const { ada, add, app, ofOrg, org, sendCrash, target } = await withOrgApp(dialect);
    await app.addToOrg(org, await app.addUser('alan'), 'admin');
    await add(ofOrg, ['newCrashGroupCreated']);
    for (let count = 0; count < 20; count += 1) {
      await sendMail(systemCtx(app.deps), { to: ada.email.toUpperCase(), subject: 'Earlier', text: 'Earlier.' });
    }
    target.answerWith((response) => response.writeHead(410).end());
    await sendCrash();
    const mails = await app.database.query((q) =>
      q.selectFrom('mails').select('to').where('subject', 'like', '%was disabled%'),
    );
    expect(mails).toEqual([{ to: 'alan@example.com' }]);
  });

  test('deleting an app deletes its webhooks, their URLs and its announcements', async () => {
    const { app, add, ofApp, request, sendCrash } = await withOrgApp(dialect);
    await add(ofApp, ['newCrashGroupCreated']);
    await sendCrash();
    await request('DELETE', '/v0.1/apps/harbour/buoy');
    await sweepWebhooks(systemCtx(app.deps));
    for (const table of ['webhooks', 'announcements', 'delivery_endpoints', 'deliveries'] as const) {
      expect([table, await app.database.query((q) => q.selectFrom(table).select('id'))]).toEqual([table, []]);
    }
  });

  test('deletes announcements older than the log', async () => {
    const { app, sendCrash } = await withOrgApp(dialect);
    await sendCrash();
    app.advance(31 * DAY);
    await sendCrash({ method: 'ship' });
    await sweepWebhooks(systemCtx(app.deps));
    const stored = await app.database.query((q) => q.selectFrom('announcements').select('data'));
    expect(stored.map(({ data }) => JSON.parse(data).name)).toEqual([expect.stringContaining('ship')]);
  });
});
