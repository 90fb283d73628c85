import { randomUUID } from 'node:crypto';
import { ALERT_RULES_PER_APP, type AlertKind } from '@mooring/contract';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { changes } from '../../../test/harness/audit.ts';
import { compact, sendLogs, writeExports } from '../../../test/harness/background-work.ts';
import { crash } from '../../../test/harness/crashes.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { type AlertGauge, alertGauges } from '../../extensions/alert-gauges.ts';
import { collectExtensions } from '../../extensions/extension-point.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';
import { alertsEvaluate, evaluateRules } from './evaluation.ts';

const subscription = '11111111-1111-4111-8111-111111111111';
const foreign = '22222222-2222-4222-8222-222222222222';

/** Ada administers the organization harbour and its app buoy, grace develops it, and eve views it. */
async function withApp(dialect: DialectName) {
  const app = await testApp(dialect, { publicUrl: 'https://mooring.example.com' });
  const [ada, grace, eve] = [await app.addUser('ada'), await app.addUser('grace'), await app.addUser('eve')];
  const org = await app.addOrg(ada, 'harbour');
  const ref = await app.addOrgApp(org, ada, 'buoy');
  await app.addMember(ref, grace, 'developer');
  await app.addMember(ref, eve, 'viewer');
  await app.addSubscription(subscription, 'harbour');
  await app.addSubscription(foreign, 'eve');
  const tokens = { ada: await app.userToken(ada), grace: await app.userToken(grace), eve: await app.userToken(eve) };
  const B = '/v0.1/apps/harbour/buoy';
  const request = async (method: string, path: string, body?: object, token = tokens.ada) => {
    const response = await app.call(method, `${B}/${path}`, { token, body });
    return { status: response.statusCode, body: response.body ? response.json() : undefined };
  };
  const addRule = async (body: object) => {
    const response = await request('POST', 'alert_rules', { name: 'Watch', ...body });
    expect(response.status, JSON.stringify(response.body)).toBe(201);
    return response.body as { id: string };
  };
  const ctx = systemCtx(app.deps);
  const evaluate = async () => {
    await evaluateRules(ctx);
    await app.runJobs();
  };
  const sendCrashes = async (count: number, sent: object = {}) => {
    const at = app.deps.clock.now();
    const logs = Array.from({ length: count }, () => crash({ at, ...sent }));
    await sendLogs(app, ref.id, logs);
  };
  const listAnnouncements = async () => {
    const rows = await app.database.query((q) => q.selectFrom('announcements').select(['type', 'data']).orderBy('id'));
    return rows.filter(({ type }) => type.startsWith('alert')).map(({ type, data }) => [type, JSON.parse(data).value]);
  };
  const state = async () =>
    (await request('GET', 'alert_rules')).body.values.map((rule: { state: string }) => rule.state);
  return { app, ref, tokens, request, addRule, evaluate, sendCrashes, listAnnouncements, state, ctx };
}

eachDatabase('alert rules', (dialect) => {
  test('send one message when crashes of a group within an hour begin, one when they end, and keep a history', async () => {
    const { app, request, addRule, evaluate, sendCrashes, listAnnouncements, state } = await withApp(dialect);
    await addRule({ kind: 'group_crashes_per_hour', threshold: 3 });
    expect(await state()).toEqual(['unknown']);
    // Reaches the threshold without exceeding it.
    await sendCrashes(3);
    await sendCrashes(2, { method: 'ship' });
    await evaluate();
    expect([await state(), await listAnnouncements()]).toEqual([['ok'], []]);
    await sendCrashes(1);
    await evaluate();
    await evaluate();
    expect([await state(), await listAnnouncements()]).toEqual([['alerting'], [['alertStarted', 4]]]);
    const [running] = (await request('GET', 'alerts')).body.values;
    expect(running).toMatchObject({ rule_name: 'Watch', value: 4, threshold: 3 });
    expect(running.subject).toContain('IllegalStateException');
    expect(running).not.toHaveProperty('ended_at');
    app.advance(2 * HOUR);
    await evaluate();
    await evaluate();
    expect([await state(), (await listAnnouncements()).map(([type]) => type)]).toEqual([
      ['ok'],
      ['alertStarted', 'alertEnded'],
    ]);
    expect((await request('GET', 'alerts')).body.values[0].ended_at).toBe('2026-11-01T11:00:00.000Z');
    app.advance(90 * DAY);
    await evaluate();
    expect((await request('GET', 'alerts')).body.values).toHaveLength(1);
    app.advance(1);
    await evaluate();
    expect((await request('GET', 'alerts')).body.values).toEqual([]);
  });

  test('alert once for missing data, a lagging export, and too few crash-free devices', async () => {
    const { app, ref, ctx, addRule, evaluate, listAnnouncements, request } = await withApp(dialect);
    await addRule({ kind: 'minutes_without_data', threshold: 30 });
    await addRule({ kind: 'export_lag_minutes', threshold: 20 });
    await addRule({ kind: 'crash_free_percent', threshold: 95 });
    await addRule({ kind: 'crash_free_percent', threshold: 90 });
    await evaluate();
    // No data yet.
    expect(await listAnnouncements()).toEqual([]);
    const reasons = async () =>
      (await request('GET', 'alert_rules')).body.values.map((rule: { state_reason?: string }) => rule.state_reason);
    const fewDevices = 'Too few devices are active today (UTC): 0. This rule requires at least 10.';
    expect(await reasons()).toEqual([
      'No device has sent data yet.',
      'This app has no enabled export.',
      fewDevices,
      fewDevices,
    ]);
    const configuration = { type: 'file', folder: 'raw', format: 'minutes', backfill: false };
    const made = await request('POST', 'export_configurations', configuration);
    expect(made.status, JSON.stringify(made.body)).toBe(202);
    const timestamp = new Date(app.deps.clock.now()).toISOString();
    const device = { appVersion: '1.0', osName: 'Android', osVersion: '14', locale: 'en_US', timeZoneOffset: 0 };
    const begin = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        const timestamp = new Date(app.deps.clock.now()).toISOString();
        await sendLogs(app, ref.id, [{ type: 'startSession', timestamp, sid: randomUUID(), device }]);
      }
    };
    await begin(9);
    const [id, sid] = [randomUUID(), randomUUID()];
    const start = { type: 'startSession', timestamp, sid, device };
    await sendLogs(app, ref.id, [start, crash({ sid })], id);
    await compact(app, ref.id);
    await evaluateRules(ctx);
    expect(await listAnnouncements()).toEqual([['alertStarted', 90]]);
    expect(await reasons()).toEqual([undefined, undefined, undefined, undefined]);
    // Batches of one moment are a millisecond apart.
    app.advance(31.5 * MINUTE);
    await evaluateRules(ctx);
    expect((await listAnnouncements()).slice(1)).toEqual([
      ['alertStarted', 31],
      ['alertStarted', 31],
    ]);
    await begin(1);
    await evaluateRules(ctx);
    expect((await listAnnouncements()).slice(3)).toEqual([['alertEnded', 31]]);
    // The waiting records are exported, and no device crashes on the next day.
    app.advance(3 * MINUTE);
    await writeExports(app);
    await evaluateRules(ctx);
    app.advance(DAY);
    await begin(10);
    await compact(app, ref.id);
    await evaluateRules(ctx);
    expect((await listAnnouncements()).slice(4)).toEqual([
      ['alertEnded', 31],
      ['alertEnded', 90],
    ]);
    const { values } = (await request('GET', 'alerts')).body;
    const kinds = ['crash_free_percent', 'export_lag_minutes', 'minutes_without_data'];
    expect(values.map(({ kind }: { kind: string }) => kind).sort()).toEqual(kinds);
    expect(values.every(({ ended_at }: { ended_at?: string }) => ended_at !== undefined)).toBe(true);
  });

  test('alert by the value at each check; a failed check neither starts nor ends an alert', async () => {
    const { app, request, addRule, listAnnouncements, ctx } = await withApp(dialect);
    expect(alertsEvaluate.every).toBe(2 * MINUTE);
    const [first, second] = [
      await addRule({ kind: 'minutes_without_data', threshold: 0 }),
      await addRule({ kind: 'export_lag_minutes', threshold: 5 }),
    ];
    await addRule({ kind: 'group_crashes_per_hour', threshold: 1, enabled: false });
    const look = async (values: Partial<Record<AlertKind, number | Error>>, meanwhile = async () => {}) => {
      const gauges: AlertGauge[] = Object.entries(values).map(([name, value]) => ({
        name: name as AlertKind,
        read: async () => {
          await meanwhile();
          if (value instanceof Error) throw value;
          return Number.isNaN(value) ? { unknown: 'There is nothing to see.' } : { value };
        },
      }));
      await evaluateRules({ ...ctx, extensions: collectExtensions([alertGauges.add(...gauges)]) });
      return (await request('GET', 'alert_rules')).body.values;
    };
    const asMade = (await request('GET', 'alert_rules')).body.values;
    expect(asMade.map((rule: object) => Object.keys(rule).length)).toEqual([7, 7, 7]);
    expect(asMade.map((rule: { state_reason: string }) => rule.state_reason)).toEqual([
      ...Array(2).fill('The rule has not been checked yet; rules are checked every two minutes.'),
      'The rule is disabled.',
    ]);
    const failed = await look({ minutes_without_data: new Error('gone') });
    expect(failed[0]).toMatchObject({
      state: 'unknown',
      state_reason: 'The last check failed. See the server log for the reason.',
    });
    const began = await look({ minutes_without_data: 0, export_lag_minutes: 6, group_crashes_per_hour: 9 });
    const at = '2026-11-01T09:00:00.000Z';
    expect(began).toMatchObject([
      { state: 'ok', last_value: 0, checked_at: at, enabled: true },
      { state: 'alerting', last_value: 6, checked_at: at, since: at },
      { state: 'unknown', enabled: false },
    ]);
    expect(began[0]).not.toHaveProperty('since');
    expect(began[2]).toEqual(asMade[2]);
    app.advance(MINUTE);
    // A failing gauge does not delay the others; NaN counts as no value.
    const later = await look({ minutes_without_data: new Error('gone'), export_lag_minutes: Number.NaN });
    expect(later[0]).toEqual(began[0]);
    expect(later[1]).toMatchObject({ state: 'alerting', since: at, checked_at: '2026-11-01T09:01:00.000Z' });
    expect(later[1]).not.toHaveProperty('last_value');
    // The rule changes while its gauge is read; the new settings apply.
    await look({ minutes_without_data: 1 }, async () => {
      await request('PATCH', `alert_rules/${first.id}`, { enabled: false });
    });
    expect(await listAnnouncements()).toEqual([['alertStarted', 6]]);
    const [changed] = (await request('GET', 'alert_rules')).body.values;
    expect(changed).toMatchObject({ state: 'ok', last_value: 0, enabled: false });
    // Changing the threshold during an alert does not change the threshold of that alert.
    expect((await request('PATCH', `alert_rules/${second.id}`, { threshold: 7 })).body).toMatchObject({
      ...{ threshold: 7, state: 'alerting', since: at },
    });
    await look({ export_lag_minutes: 7 });
    expect((await request('GET', 'alerts')).body.values).toMatchObject([
      { value: 6, threshold: 5, started_at: at, ended_at: '2026-11-01T09:01:00.000Z' },
    ]);
  });

  test('list alerts newest first in pages; the organization sees the number of alerting rules per app', async () => {
    const { app, request, addRule, ctx, tokens } = await withApp(dialect);
    const { id } = await addRule({ kind: 'minutes_without_data', threshold: 1 });
    await addRule({ kind: 'export_lag_minutes', threshold: 1 });
    await app.call('POST', '/v0.1/orgs/harbour/apps', {
      ...{ token: tokens.ada, body: { name: 'quiet', display_name: 'Quiet', os: 'Android', platform: 'Java' } },
    });
    const look = (value: number) =>
      evaluateRules({
        ...ctx,
        extensions: collectExtensions([
          alertGauges.add({ name: 'minutes_without_data', read: async () => ({ value }) }),
        ]),
      });
    for (const value of [2, 0, 3, 0, 4]) {
      await look(value);
      app.advance(MINUTE);
    }
    const first = (await request('GET', 'alerts?limit=2')).body;
    const next = (await request('GET', `alerts?limit=2&cursor=${first.next_cursor}`)).body;
    const seen = [...first.values, ...next.values].map(({ value, rule_id }) => [value, rule_id]);
    expect(seen).toEqual([4, 3, 2].map((value) => [value, id]));
    expect([typeof first.next_cursor, next.next_cursor]).toEqual(['string', undefined]);
    const summaries = (await app.call('GET', '/v0.1/orgs/harbour/app_glances', { token: tokens.ada })).json().values;
    const counts = summaries.map((app: { name: string; alerting_rules: number }) => [app.name, app.alerting_rules]);
    expect(counts.sort()).toEqual([
      ['buoy', 1],
      ['quiet', 0],
    ]);
  });

  test('audits changes of rules and hides rules of other apps', async () => {
    const { app, request, tokens } = await withApp(dialect);
    const made = await request('POST', 'alert_rules', {
      ...{ name: ' Watch ', kind: 'minutes_without_data', threshold: 3, health_subscription_id: subscription },
    });
    expect(made.body).toMatchObject({ name: 'Watch', enabled: true, health_subscription_id: subscription });
    const other = { name: 'other', display_name: 'Other', os: 'Android', platform: 'Java' };
    await app.call('POST', '/v0.1/orgs/harbour/apps', { token: tokens.ada, body: other });
    for (const [method, rest = ''] of [['PATCH'], ['DELETE'], ['POST', '/test']]) {
      const url = `/v0.1/apps/harbour/other/alert_rules/${made.body.id}${rest}`;
      expect((await app.call(method ?? '', url, { token: tokens.ada, body: {} })).statusCode).toBe(404);
    }
    const path = `alert_rules/${made.body.id}`;
    expect((await request('PATCH', path, {})).body).toEqual(made.body);
    const change = { name: ' Look ', threshold: 0, enabled: false, health_subscription_id: null };
    const changed = (await request('PATCH', path, change)).body;
    expect(changed).toMatchObject({ name: 'Look', threshold: 0, enabled: false });
    expect(changed).not.toHaveProperty('health_subscription_id');
    await request('DELETE', path);
    const before = {
      ...{ name: 'Watch', kind: 'minutes_without_data', threshold: 3, enabled: true },
      health_subscription_id: subscription,
    };
    const after = { ...before, name: 'Look', threshold: 0, enabled: false, health_subscription_id: null };
    const name = 'harbour/buoy';
    expect(await changes(app, 'alert_rule.')).toEqual([
      ['alert_rule.create', name, undefined, before],
      ['alert_rule.update', name, before, before],
      ['alert_rule.update', name, before, after],
      ['alert_rule.delete', name, after, undefined],
    ]);
    const refused = await request('POST', 'alert_rules', {
      ...{ name: 'x', kind: 'minutes_without_data', threshold: 1, health_subscription_id: foreign },
    });
    expect(refused.body.error.message).toBe('health_subscription_id: harbour has no subscription with this ID.');
  });

  test('a test reaches the recipients of an alert, is marked as a test and leaves no other trace', async () => {
    const { app, request, addRule, tokens } = await withApp(dialect);
    const below = await addRule({ kind: 'crash_free_percent', threshold: 0.5, health_subscription_id: subscription });
    const { id } = await addRule({ kind: 'minutes_without_data', threshold: 30, enabled: false });
    const test = (rule: string, token = tokens.grace) => request('POST', `alert_rules/${rule}/test`, {}, token);
    const off = { settings: [{ event_type: 'alert_alertStarted', value: 'Disabled' }] };
    await request('PATCH', 'notifications/emailSettings', off);
    expect((await test(id)).body).toEqual({ webhooks: 0, mails: 0 });
    const on = { settings: [{ event_type: 'alert_alertStarted', value: 'Individual' }] };
    for (const token of [tokens.ada, tokens.grace]) await request('PATCH', 'notifications/emailSettings', on, token);
    const hook = { url: 'https://chat.example.com/in', event_types: ['alertStarted'], format: 'plain' };
    await request('POST', 'webhooks', hook);
    await request('POST', 'webhooks', { ...hook, filter: 'threshold gt 1' });
    await request('POST', 'webhooks', { ...hook, event_types: ['alertEnded'] });
    const ofOrg = '/v0.1/orgs/harbour/webhooks';
    expect((await app.call('POST', ofOrg, { token: tokens.ada, body: hook })).statusCode).toBe(201);
    const before = (await request('GET', 'alert_rules')).body;
    expect(await test(id)).toEqual({ status: 202, body: { webhooks: 3, mails: 2 } });
    expect((await test(below.id)).body).toEqual({ webhooks: 2, mails: 2 });
    await app.runJobs();
    const announcements = await app.database.query((q) =>
      q.selectFrom('announcements').select(['is_test', 'data']).orderBy('id').where('type', '=', 'alertStarted'),
    );
    const announced = announcements.map(({ is_test, data }) => [
      is_test,
      JSON.parse(data).value,
      JSON.parse(data).tracking_id,
    ]);
    expect(announced).toEqual([
      [1, 31, undefined],
      [1, 31, undefined],
      [1, 0, undefined],
    ]);
    // The jobs of the three tests run in parallel, so their emails are in no particular order.
    const mails = await app.database.query((q) =>
      q.selectFrom('mails').select(['to', 'subject', 'text']).orderBy('to'),
    );
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ...Array(3).fill(['ada@example.com', 'Test buoy Watch']),
      ...Array(3).fill(['grace@example.com', 'Test buoy Watch']),
    ]);
    expect(mails[0]?.text).toContain('This is a test of the rule');
    const deliveries = await app.database.query((q) => q.selectFrom('deliveries').select('subject'));
    expect(deliveries).toEqual(Array(5).fill({ subject: 'Test: buoy: Watch' }));
    expect([(await request('GET', 'alert_rules')).body, (await request('GET', 'alerts')).body.values]).toEqual([
      before,
      [],
    ]);
    const url = `/subscriptions/${subscription}/providers/Vendor.ResourceHealth/events?api-version=2024-02-01`;
    expect((await app.call('GET', url, { token: tokens.ada })).json().value).toEqual([]);
    expect((await changes(app, 'alert_rule.test')).map(([, , , after]) => after)).toEqual([
      { rule: id, webhooks: 0, mails: 0 },
      { rule: id, webhooks: 3, mails: 2 },
      { rule: below.id, webhooks: 2, mails: 2 },
    ]);
    expect([(await test(id, tokens.eve)).status, (await test('none')).status]).toEqual([403, 404]);
    // Tests may use half of the emails that an address can receive in an hour; the rest is for alerts.
    for (let n = 0; n < 9; n += 1) {
      await test(id);
      await app.runJobs();
    }
    const sent = await app.database.query((q) =>
      q.selectFrom('mails').select('id').where('to', '=', 'ada@example.com'),
    );
    expect([sent.length, await app.database.query((q) => q.selectFrom('digest_items').selectAll())]).toEqual([10, []]);
  });

  test('with a subscription open a health event for its readers, and resolve it', async () => {
    const { app, request, addRule, evaluate, sendCrashes, tokens } = await withApp(dialect);
    await addRule({ kind: 'group_crashes_per_hour', threshold: 1, health_subscription_id: subscription });
    await sendCrashes(3);
    await evaluate();
    const url = `/subscriptions/${subscription}/providers/Vendor.ResourceHealth/events?api-version=2024-02-01`;
    const read = async () => (await app.call('GET', url, { token: tokens.ada })).json().value;
    const [event] = await read();
    const [{ tracking_id }] = (await request('GET', 'alerts')).body.values;
    expect(event).toMatchObject({ name: tracking_id, properties: { status: 'Active', title: 'buoy: Watch' } });
    const others = `/subscriptions/${foreign}/providers/Vendor.ResourceHealth/events?api-version=2024-02-01`;
    expect((await app.call('GET', others, { token: tokens.eve })).json().value).toEqual([]);
    app.advance(2 * HOUR);
    await evaluate();
    expect((await read())[0]).toMatchObject({ name: tracking_id, properties: { status: 'Resolved' } });
  });

  test('open health events only for managers, in subscriptions of the owner, and not after a transfer', async () => {
    const { app, request, addRule, evaluate, sendCrashes, tokens } = await withApp(dialect);
    const body = { name: 'Watch', kind: 'group_crashes_per_hour', threshold: 1 };
    const opening = { ...body, health_subscription_id: subscription };
    expect((await request('POST', 'alert_rules', opening, tokens.grace)).status).toBe(403);
    expect((await request('POST', 'alert_rules', { ...body, health_subscription_id: foreign })).status).toBe(400);
    const { id } = await addRule(opening);
    const patch = { health_subscription_id: subscription };
    expect((await request('PATCH', `alert_rules/${id}`, patch, tokens.grace)).status).toBe(403);
    await app.call('POST', '/v0.1/apps/harbour/buoy/transfer/ada', { token: tokens.ada, body: {} });
    await sendCrashes(3);
    await evaluate();
    const alerts = await app.database.query((q) => q.selectFrom('alerts').select('tracking_id'));
    expect(alerts).toEqual([{ tracking_id: null }]);
  });

  test('cannot be changed by readers, end their alerts when disabled or deleted, and are limited in number', async () => {
    const { app, request, addRule, evaluate, sendCrashes, listAnnouncements, tokens } = await withApp(dialect);
    const { id } = await addRule({ kind: 'group_crashes_per_hour', threshold: 1 });
    expect((await request('GET', 'alert_rules', undefined, tokens.eve)).status).toBe(200);
    for (const [method, path] of [
      ['POST', 'alert_rules'],
      ['PATCH', `alert_rules/${id}`],
      ['DELETE', `alert_rules/${id}`],
    ] as const) {
      const body = { name: 'x', kind: 'minutes_without_data', threshold: 1 };
      expect([method, (await request(method, path, body, tokens.eve)).status]).toEqual([method, 403]);
    }
    expect((await request('DELETE', 'alert_rules/none')).status).toBe(404);
    const change = (body: object) => () => request('PATCH', `alert_rules/${id}`, body);
    await atOnce(app, [change({ name: 'Renamed' }), change({ threshold: 2 })]);
    expect((await request('GET', 'alert_rules')).body.values).toMatchObject([{ name: 'Renamed', threshold: 2 }]);
    await sendCrashes(3);
    await evaluate();
    const disabled = await request('PATCH', `alert_rules/${id}`, { enabled: false });
    expect(disabled.body).toMatchObject({ enabled: false, state: 'ok' });
    expect((await listAnnouncements()).map(([type]) => type)).toEqual(['alertStarted', 'alertEnded']);
    await request('PATCH', `alert_rules/${id}`, { enabled: true });
    await evaluate();
    expect((await request('DELETE', `alert_rules/${id}`)).status).toBe(204);
    expect((await listAnnouncements()).map(([type]) => type).slice(2)).toEqual(['alertStarted', 'alertEnded']);
    for (let n = 1; n < ALERT_RULES_PER_APP; n += 1) await addRule({ kind: 'minutes_without_data', threshold: n });
    const make = () => request('POST', 'alert_rules', { name: 'x', kind: 'minutes_without_data', threshold: 1 });
    expect((await atOnce(app, [make, make])).map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});
