import { randomUUID } from 'node:crypto';
import { ALERT_RULES_PER_APP } from '@mooring/contract';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { crash } from '../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { compact, sendLogs } from '../../../test/harness/happenings.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/connection.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';
import { evaluateRules } from './evaluation.ts';

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
  const ask = async (method: string, path: string, body?: object, token = tokens.ada) => {
    const answer = await app.call(method, `${B}/${path}`, { token, body });
    return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
  };
  const addRule = async (body: object) => {
    const answer = await ask('POST', 'alert_rules', { name: 'Watch', ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body as { id: string };
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
  const told = async () => {
    const rows = await app.database.query((q) => q.selectFrom('announcements').select(['type', 'data']).orderBy('id'));
    return rows.filter(({ type }) => type.startsWith('alert')).map(({ type, data }) => [type, JSON.parse(data).value]);
  };
  const state = async () => (await ask('GET', 'alert_rules')).body.values.map((rule: { state: string }) => rule.state);
  return { app, ref, tokens, ask, addRule, evaluate, sendCrashes, told, state, ctx };
}

eachDatabase('alert rules', (dialect) => {
  test('crashes of one group within an hour: one message when it begins, one when it ends, and a history', async () => {
    const { app, ask, addRule, evaluate, sendCrashes, told, state } = await withApp(dialect);
    await addRule({ kind: 'group_crashes_per_hour', threshold: 3 });
    expect(await state()).toEqual(['unknown']);
    await sendCrashes(2);
    await sendCrashes(2, { method: 'ship' });
    await evaluate();
    expect([await state(), await told()]).toEqual([['ok'], []]);
    await sendCrashes(2);
    await evaluate();
    await evaluate();
    expect([await state(), await told()]).toEqual([['alerting'], [['alertStarted', 4]]]);
    const [running] = (await ask('GET', 'alerts')).body.values;
    expect(running).toMatchObject({ rule_name: 'Watch', value: 4, threshold: 3 });
    expect(running.subject).toContain('IllegalStateException');
    expect(running).not.toHaveProperty('ended_at');
    app.advance(2 * HOUR);
    await evaluate();
    await evaluate();
    expect([await state(), (await told()).map(([type]) => type)]).toEqual([['ok'], ['alertStarted', 'alertEnded']]);
    expect((await ask('GET', 'alerts')).body.values[0].ended_at).toBe('2026-11-01T11:00:00.000Z');
    app.advance(91 * DAY);
    await evaluate();
    expect((await ask('GET', 'alerts')).body.values).toEqual([]);
  });

  test('silence, an export that lags, and too few devices without a crash', async () => {
    const { app, ref, ctx, addRule, evaluate, sendCrashes, told, ask } = await withApp(dialect);
    await addRule({ kind: 'minutes_without_data', threshold: 30 });
    await addRule({ kind: 'export_lag_minutes', threshold: 20 });
    await addRule({ kind: 'crash_free_percent', threshold: 95 });
    await evaluate();
    // There is nothing to look at yet.
    expect(await told()).toEqual([]);
    const configuration = { type: 'file', folder: 'raw', format: 'minutes', backfill: false };
    const made = await ask('POST', 'export_configurations', configuration);
    expect(made.status, JSON.stringify(made.body)).toBe(202);
    const timestamp = new Date(app.deps.clock.now()).toISOString();
    const device = { appVersion: '1.0', osName: 'Android', osVersion: '14', locale: 'en_US', timeZoneOffset: 0 };
    for (let n = 0; n < 9; n += 1) {
      const log = { type: 'startSession', timestamp, sid: randomUUID(), device };
      await sendLogs(app, ref.id, [log]);
    }
    const [id, sid] = [randomUUID(), randomUUID()];
    const start = { type: 'startSession', timestamp, sid, device };
    await sendLogs(app, ref.id, [start, crash({ sid })], id);
    await compact(app, ref.id);
    await evaluateRules(ctx);
    expect(await told()).toEqual([['alertStarted', 90]]);
    // Batches of one moment are a millisecond apart.
    app.advance(31.5 * MINUTE);
    await evaluateRules(ctx);
    expect((await told()).slice(1)).toEqual([
      ['alertStarted', 31],
      ['alertStarted', 31],
    ]);
    await sendCrashes(1);
    await evaluateRules(ctx);
    expect((await told()).slice(3)).toEqual([['alertEnded', 31]]);
  });

  test('a rule with a subscription opens a health event for its readers, and resolves it', async () => {
    const { app, ask, addRule, evaluate, sendCrashes, tokens } = await withApp(dialect);
    await addRule({ kind: 'group_crashes_per_hour', threshold: 1, health_subscription_id: subscription });
    await sendCrashes(3);
    await evaluate();
    const url = `/subscriptions/${subscription}/providers/Vendor.ResourceHealth/events?api-version=2024-02-01`;
    const read = async () => (await app.call('GET', url, { token: tokens.ada })).json().value;
    const [event] = await read();
    const [{ tracking_id }] = (await ask('GET', 'alerts')).body.values;
    expect(event).toMatchObject({ name: tracking_id, properties: { status: 'Active', title: 'buoy: Watch' } });
    const others = `/subscriptions/${foreign}/providers/Vendor.ResourceHealth/events?api-version=2024-02-01`;
    expect((await app.call('GET', others, { token: tokens.eve })).json().value).toEqual([]);
    app.advance(2 * HOUR);
    await evaluate();
    expect((await read())[0]).toMatchObject({ name: tracking_id, properties: { status: 'Resolved' } });
  });

  test('only managers let a rule open health events, only of the owner, and not after the app went to another', async () => {
    const { app, ask, addRule, evaluate, sendCrashes, tokens } = await withApp(dialect);
    const body = { name: 'Watch', kind: 'group_crashes_per_hour', threshold: 1 };
    const opening = { ...body, health_subscription_id: subscription };
    expect((await ask('POST', 'alert_rules', opening, tokens.grace)).status).toBe(403);
    expect((await ask('POST', 'alert_rules', { ...body, health_subscription_id: foreign })).status).toBe(400);
    const { id } = await addRule(opening);
    const patch = { health_subscription_id: subscription };
    expect((await ask('PATCH', `alert_rules/${id}`, patch, tokens.grace)).status).toBe(403);
    await app.call('POST', '/v0.1/apps/harbour/buoy/transfer/ada', { token: tokens.ada, body: {} });
    await sendCrashes(3);
    await evaluate();
    const alerts = await app.database.query((q) => q.selectFrom('alerts').select('tracking_id'));
    expect(alerts).toEqual([{ tracking_id: null }]);
  });

  test('who may only read changes nothing; disabling or deleting a rule ends its alert; there are not too many', async () => {
    const { app, ask, addRule, evaluate, sendCrashes, told, tokens } = await withApp(dialect);
    const { id } = await addRule({ kind: 'group_crashes_per_hour', threshold: 1 });
    expect((await ask('GET', 'alert_rules', undefined, tokens.eve)).status).toBe(200);
    for (const [method, path] of [
      ['POST', 'alert_rules'],
      ['PATCH', `alert_rules/${id}`],
      ['DELETE', `alert_rules/${id}`],
    ] as const) {
      const body = { name: 'x', kind: 'minutes_without_data', threshold: 1 };
      expect([method, (await ask(method, path, body, tokens.eve)).status]).toEqual([method, 403]);
    }
    expect((await ask('DELETE', 'alert_rules/none')).status).toBe(404);
    const change = (body: object) => () => ask('PATCH', `alert_rules/${id}`, body);
    await atOnce(app, [change({ name: 'Renamed' }), change({ threshold: 2 })]);
    expect((await ask('GET', 'alert_rules')).body.values).toMatchObject([{ name: 'Renamed', threshold: 2 }]);
    await sendCrashes(3);
    await evaluate();
    const disabled = await ask('PATCH', `alert_rules/${id}`, { enabled: false });
    expect(disabled.body).toMatchObject({ enabled: false, state: 'ok' });
    expect((await told()).map(([type]) => type)).toEqual(['alertStarted', 'alertEnded']);
    await ask('PATCH', `alert_rules/${id}`, { enabled: true });
    await evaluate();
    expect((await ask('DELETE', `alert_rules/${id}`)).status).toBe(204);
    expect((await told()).map(([type]) => type).slice(2)).toEqual(['alertStarted', 'alertEnded']);
    for (let n = 1; n < ALERT_RULES_PER_APP; n += 1) await addRule({ kind: 'minutes_without_data', threshold: n });
    const make = () => ask('POST', 'alert_rules', { name: 'x', kind: 'minutes_without_data', threshold: 1 });
    expect((await atOnce(app, [make, make])).map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});
