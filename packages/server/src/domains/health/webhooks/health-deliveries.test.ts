import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { receiver, verified } from '../../../../../../test-support/webhook-receiver.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { mailIn, north, south, withHooks } from '../../../../test/harness/services/hooks.ts';
import { systemCtx } from '../../../context.ts';
import { LEASE } from '../../../jobs/index.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';
import { sweepDeliveries } from '../../../outbound/delivery/deliveries.ts';
import { createDeliveryWorker } from '../../../outbound/delivery/delivery-worker.ts';
import { publishEvents } from '../events/health-events.ts';
import { fanOut } from './fan-out.ts';
import { healthChannel, sweepChanges } from './health-channel.ts';

eachDatabase('deliveries', (dialect) => {
  test('sends each change once, signed, with the event as the list shows it', async () => {
    const { app, target, addHook, log, ask, update, withdraw } = await withHooks(dialect);
    const { id, secret } = await addHook();
    await app.publish('ONE', { impact: mailIn('North') });
    app.advance(1000);
    await update('ONE');
    const listed = (await ask('GET', 'events/ONE')).body;
    app.advance(1000);
    await update('ONE', { status: 'Resolved' });
    await withdraw('ONE');
    await app.runJobs();
    await app.runJobs();

    const messages = target.received
      .map((message) => verified(message, secret))
      .sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
    expect(messages.map(({ type }) => type)).toEqual(
      ['published', 'updated', 'resolved', 'withdrawn'].map((change) => `mooring.health.event.${change}`),
    );
    expect(messages[1]).toMatchObject({
      specversion: '1.0',
      source: 'https://mooring.example.com',
      subject: 'ONE',
      subscriptionid: north,
      time: '2026-11-01T09:00:01.000Z',
      data: listed,
    });
    expect(messages[3].data.name).toBe('ONE');
    const [newest] = await log(id);
    expect(newest).toMatchObject({ state: 'Delivered', isReplay: false, trackingId: 'ONE' });
    expect(newest.attempts).toEqual([
      { at: '2026-11-01T09:00:02.000Z', milliseconds: expect.any(Number), status: 204 },
    ]);
  });

  test('retries a failed delivery with the same ID, and logs the reason', async () => {
    const { app, target, addHook, log } = await withHooks(dialect);
    const { id, secret } = await addHook();
    target.answerWith((response) => response.writeHead(500).end(`not now${'.'.repeat(600)}`));
    await app.publish('ONE');
    await app.runJobs();
    target.answerWith((response) => response.writeHead(200).end('ok'));
    app.advance(HOUR);
    await app.runJobs();

    const [first, second] = target.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(verified(second ?? { headers: {}, body: '' }, secret).id).toBe(first?.headers['webhook-id']);
    const [delivery] = await log(id);
    expect(delivery).toMatchObject({ state: 'Delivered', attempts: [{ status: 500 }, { status: 200 }] });
    expect(delivery.attempts[0].answer).toBe(`not now${'.'.repeat(493)}`);
  });

  test('an unresponsive receiver delays only its own deliveries, and few of them at a time', async () => {
    const { app, target, addHook } = await withHooks(dialect);
    const silent = await receiver();
    const pending: ServerResponse[] = [];
    silent.answerWith((response) => pending.push(response));
    await addHook({ url: silent.url });
    await addHook();
    const names = Array.from({ length: 20 }, (_, n) => `EVENT${n}`);
    for (const name of names) await app.publish(name);
    const running = app.runJobs();
    await vi.waitFor(() => expect(target.received).toHaveLength(20), { timeout: 10_000 });
    expect(silent.received).toHaveLength(2);
    silent.answerWith((response) => response.writeHead(204).end());
    for (const response of pending) response.writeHead(204).end();
    await running;
    const delivered = silent.received.map(({ body }) => JSON.parse(body).subject);
    expect(delivered.toSorted()).toEqual(names.toSorted());
  });

  test('another process sends the deliveries of a dead process, whose late results are ignored', async () => {
    const { app, target, addHook, log } = await withHooks(dialect);
    const { id } = await addHook();
    const pending: ServerResponse[] = [];
    target.answerWith((response) => pending.push(response));
    await app.publish('ONE');
    const dead = app.runJobs();
    await vi.waitFor(() => expect(target.received).toHaveLength(1), { timeout: 10_000 });
    const other = await app.another();
    app.advance(LEASE - 1);
    expect(await other.runJobs()).toBe(0);
    app.advance(1);
    target.answerWith((response) => response.writeHead(204).end());
    expect(await other.runJobs()).toBe(1);
    for (const response of pending) response.writeHead(500).end();
    await dead;
    const [first, second] = target.received;
    expect([target.received.length, second?.headers['webhook-id']]).toEqual([2, first?.headers['webhook-id']]);
    expect(await log(id)).toMatchObject([{ state: 'Delivered', attempts: [{ status: 204 }] }]);
  });

  test('several processes share queued deliveries and send each once', async () => {
    const { app, target, addHook } = await withHooks(dialect);
    for (let n = 0; n < 4; n += 1) await addHook();
    const others = [await app.another(), await app.another()];
    const batch = Array.from({ length: 15 }, (_, n) => ({
      trackingId: `EVENT${n}`,
      draft: { eventType: 'RCA', title: 'Why' } as const,
    }));
    await publishEvents(systemCtx(app.deps), batch);
    const ran = await Promise.all([app, ...others].map((each) => each.runJobs()));
    for (const each of [app, ...others]) ran.push(await each.runJobs());
    const ids = new Set(target.received.map(({ headers }) => headers['webhook-id']));
    expect([target.received.length, ids.size]).toEqual([60, 60]);
    expect(ran.reduce((sum, count) => sum + count, 0)).toBe(62);
  });

  test('a redirect counts as a failure and is not followed, and so does an endless response', async () => {
    const { app, target, addHook, log } = await withHooks(dialect);
    const { id } = await addHook();
    target.answerWith((response) => response.writeHead(302, { location: target.url }).end());
    await app.publish('ONE');
    await app.runJobs();
    expect(target.received).toHaveLength(1);
    target.answerWith((response) => response.writeHead(200).end('x'.repeat(70_000)));
    app.advance(HOUR);
    await app.runJobs();
    const [{ state, attempts }] = await log(id);
    expect([state, attempts[0].status]).toEqual(['Waiting', 302]);
    expect(attempts[1]).toMatchObject({ error: 'The response exceeds 65536 bytes.' });
  });

  test('a receiver that does not respond in time counts as a failure', async () => {
    const { app, target, addHook, log, ask } = await withHooks(dialect);
    const { id } = await addHook();
    target.answerWith(() => undefined);
    await ask('POST', `webhooks/${id}/test`, {});
    const impatient = {
      ...app.deps,
      fetch: (url: string, request = {}) => app.deps.fetch(url, { ...request, timeoutMs: 50 }),
    };
    const late = '127.0.0.1 did not respond within 50 ms.';
    await createDeliveryWorker(impatient, [healthChannel]).runDue();
    expect(await log(id)).toMatchObject([{ state: 'Waiting', attempts: [{ error: late }] }]);
  });

  test('sends nothing to a host name that resolves to a private address', async () => {
    const { app, target, addHook, log } = await withHooks(dialect, { outboundAllow: [] });
    const { id } = await addHook({ url: 'https://localhost/hook' });
    await app.publish('ONE');
    await app.runJobs();
    expect(target.received).toEqual([]);
    const [{ attempts }] = await log(id);
    expect(attempts[0].error).toContain('is not a public address');
  });

  test('a delivery fails after fifteen attempts, without a dead letter', async () => {
    const { app, target, addHook, log } = await withHooks(dialect);
    const { id } = await addHook();
    target.answerWith((response) => response.writeHead(503).end());
    await app.publish('ONE');
    for (let hours = 0; hours < 20; hours += 1) {
      await app.runJobs();
      app.advance(HOUR);
    }
    const [{ state, attempts }] = await log(id);
    expect([state, attempts.length, target.received.length]).toEqual(['Failed', 15, 15]);
    expect(
      await app.database.query((q) => q.selectFrom('jobs').select('name').where('failed_at', 'is not', null)),
    ).toEqual([]);
  });

  test('after a shutdown between commit and delivery, another process delivers once', async () => {
    const { app, target, addHook } = await withHooks(dialect);
    await addHook();
    await app.publish('ONE');
    // Simulates a restart: another process over the same database.
    const restarted = await app.another();
    await restarted.runJobs();
    expect([target.received.length, await app.runJobs()]).toEqual([1, 0]);
  });

  test('distributing a change again adds nothing', async () => {
    const { app, target, addHook } = await withHooks(dialect);
    await addHook();
    await app.publish('ONE');
    await app.runJobs();
    const changes = await app.database.query((q) => q.selectFrom('health_changes').select('id'));
    await fanOut(
      systemCtx(app.deps),
      changes.map(({ id }) => id),
    );
    await app.runJobs();
    expect(target.received).toHaveLength(1);
  });

  test('delivers no event of other subscriptions and does not reveal their names', async () => {
    const { app, target, addHook, tokens } = await withHooks(dialect);
    const { secret } = await addHook();
    await addHook({}, { token: tokens.eve, subscription: south });
    await app.publish('NORTH', { impact: mailIn('North', { subscriptions: [north] }) });
    await app.publish('BOTH', { impact: mailIn('North', { subscriptions: [north, south] }) });
    await app.runJobs();
    const delivered = target.received.map(({ body }) => JSON.parse(body));
    expect(delivered.map(({ subject, subscriptionid }) => [subject, subscriptionid]).sort()).toEqual([
      ['BOTH', north],
      ['BOTH', south],
      ['NORTH', north],
    ]);
    for (const { subscriptionid, data } of delivered) {
      const region = data.properties.impact[0].impactedRegions[0];
      expect(region.impactedSubscriptions).toEqual([subscriptionid]);
    }
    expect(target.received.filter(({ body }) => body.includes(north) && body.includes(south))).toEqual([]);
    expect(secret).toMatch(/^whsec_/);
  });

  test('sends a withdrawal to subscriptions no longer affected and an update to the others', async () => {
    const { app, target, addHook, tokens } = await withHooks(dialect);
    await addHook();
    await addHook({}, { token: tokens.eve, subscription: south });
    await app.publish('ONE', { impact: mailIn('North') });
    await app.publish('ONE', { impact: mailIn('North', { subscriptions: [north] }) });
    await app.runJobs();
    const delivered = target.received.map(({ body }) => JSON.parse(body));
    expect(delivered.map(({ type, subscriptionid }) => [type.split('.').at(-1), subscriptionid]).sort()).toEqual([
      ['published', north],
      ['published', south],
      ['updated', north],
      ['withdrawn', south],
    ]);
  });

  test('a filter selects the events to send', async () => {
    const { app, target, addHook } = await withHooks(dialect);
    await addHook({ filter: "service eq 'mail' and not (region eq 'South')" });
    await app.publish('OTHER');
    await app.publish('SOUTH', { impact: mailIn('South') });
    await app.publish('NORTH', { impact: mailIn('North') });
    await app.runJobs();
    expect(target.received.map(({ body }) => JSON.parse(body).subject)).toEqual(['NORTH']);
  });

  test('without enabled webhooks, publishing leaves no job and no stored change', async () => {
    const { app, target, addHook } = await withHooks(dialect);
    await app.publish('ONE');
    await addHook({ isEnabled: false });
    await publishEvents(systemCtx(app.deps), [{ trackingId: 'TWO', draft: { eventType: 'RCA', title: 'Why' } }]);
    const changes = await app.database.query((q) => q.selectFrom('health_changes').select('id'));
    expect([await app.runJobs(), changes, target.received]).toEqual([0, [], []]);
  });

  test('events published together cause one job for each kind of webhook', async () => {
    const { app, target, addHook } = await withHooks(dialect);
    await addHook();
    const batch = ['A', 'B', 'C'].map((trackingId) => ({
      trackingId,
      draft: { eventType: 'RCA', title: 'Why' } as const,
    }));
    await publishEvents(systemCtx(app.deps), batch);
    // One job for subscriptions, one for organizations, and three deliveries.
    expect([await app.runJobs(), target.received.length]).toEqual([5, 3]);
  });

  test('disables the webhook of a user who lost access and drops its queued deliveries', async () => {
    const { app, target, addHook, log, tokens, ask, dropGrace } = await withHooks(dialect);
    const { id } = await addHook({}, { token: tokens.grace });
    const admin = await app.userToken(await app.addUser('root', { isAdmin: true }));
    await app.publish('ONE');
    await dropGrace();
    await app.runJobs();
    await app.publish('TWO');
    await app.runJobs();
    expect(target.received).toEqual([]);
    expect((await log(id, { token: admin })).map(({ state }: { state: string }) => state)).toEqual(['Cancelled']);
    expect((await ask('GET', `webhooks/${id}`, undefined, { token: admin })).body).toMatchObject({
      isEnabled: false,
      disabledReason: 'AccessLost',
    });
  });

  test('a disabled user receives nothing', async () => {
    const { app, target, addHook, tokens, grace } = await withHooks(dialect);
    const admin = await app.userToken(await app.addUser('root', { isAdmin: true }));
    await addHook({}, { token: tokens.grace });
    await app.call('PATCH', `/v0.1/admin/users/${grace.id}`, { token: admin, body: { is_disabled: true } });
    await app.publish('ONE');
    await app.runJobs();
    expect(target.received).toEqual([]);
  });

  test('a 410 response disables it immediately and notifies its creator', async () => {
    const { app, target, addHook, log, ask } = await withHooks(dialect);
    const { id } = await addHook();
    target.answerWith((response) => response.writeHead(410).end());
    await app.publish('ONE');
    await app.runJobs();
    app.advance(HOUR);
    await app.publish('TWO');
    await app.runJobs();
    expect(target.received).toHaveLength(1);
    expect((await ask('GET', `webhooks/${id}`)).body).toMatchObject({ isEnabled: false, disabledReason: 'Gone' });
    expect((await log(id)).map(({ state }: { state: string }) => state)).toEqual(['Failed']);
    const mails = await app.database.query((q) => q.selectFrom('mails').select(['to', 'subject', 'text']));
    expect(mails).toEqual([
      {
        to: 'ada@example.com',
        subject: `Your webhook to ${new URL(target.url).host} was disabled`,
        text: expect.stringContaining('410'),
      },
    ]);
  });

  test('is disabled after five days of failures; a success restarts the period', async () => {
    const { app, target, addHook, ask } = await withHooks(dialect);
    const { id } = await addHook();
    const state = async () => (await ask('GET', `webhooks/${id}`)).body;
    const fail = async (name: string) => {
      target.answerWith((response) => response.writeHead(500).end());
      await app.publish(name);
      await app.runJobs();
    };
    await fail('ONE');
    expect((await state()).failingSince).toBe('2026-11-01T09:00:00.000Z');
    app.advance(4 * DAY);
    target.answerWith((response) => response.writeHead(204).end());
    await app.runJobs();
    expect((await state()).failingSince).toBeUndefined();
    await fail('TWO');
    app.advance(4 * DAY);
    await fail('THREE');
    expect((await state()).isEnabled).toBe(true);
    app.advance(DAY);
    await fail('FOUR');
    expect(await state()).toMatchObject({ isEnabled: false, disabledReason: 'Failing' });
    const mails = await app.database.query((q) => q.selectFrom('mails').select('to'));
    expect(mails).toEqual([{ to: 'ada@example.com' }]);
    const enabled = (await ask('PATCH', `webhooks/${id}`, { isEnabled: true })).body;
    expect([enabled.isEnabled, enabled.disabledReason, enabled.failingSince]).toEqual([true, undefined, undefined]);
  });

  test('a replay sends the same message with the same ID and a new signature', async () => {
    const { app, target, addHook, log, ask } = await withHooks(dialect);
    const { id, secret } = await addHook();
    await app.publish('ONE');
    await app.runJobs();
    const [delivery] = await log(id);
    app.advance(HOUR);
    await app.publish('ONE', { title: 'Changed since' });
    const replayed = await ask('POST', `webhooks/${id}/deliveries/${delivery.id}/replay`, {});
    expect(replayed).toMatchObject({ status: 201, body: { messageId: delivery.id, isReplay: true, state: 'Waiting' } });
    const waiting = await ask('POST', `webhooks/${id}/deliveries/${replayed.body.id}/replay`, {});
    expect([waiting.status, waiting.body.message]).toEqual([
      409,
      'The delivery is still in progress. Wait until it has ended.',
    ]);
    await app.runJobs();
    const same = target.received.filter(({ headers }) => headers['webhook-id'] === delivery.id);
    expect(same.map((message) => verified(message, secret).data.properties.title)).toEqual(['Broken', 'Broken']);
    expect((await log(id)).map(({ isReplay }: { isReplay: boolean }) => isReplay).sort()).toEqual([false, false, true]);
  });

  test('after a rotation both secrets are valid for a day, then only the new one', async () => {
    const { app, target, addHook, ask } = await withHooks(dialect);
    const { id, secret: old } = await addHook();
    const { secret } = (await ask('POST', `webhooks/${id}/rotate`, {})).body;
    const send = async (name: string) => {
      await app.publish(name);
      await app.runJobs();
      const message = target.received.at(-1);
      return (key: string) => verified(message ?? { headers: {}, body: '' }, key).subject;
    };
    const during = await send('ONE');
    expect([during(secret), during(old)]).toEqual(['ONE', 'ONE']);
    app.advance(DAY);
    const after = await send('TWO');
    expect(after(secret)).toBe('TWO');
    expect(() => after(old)).toThrow('No matching signature');
  });

  test('a test sends a message with its own type to this webhook only', async () => {
    const { app, target, addHook, ask } = await withHooks(dialect);
    const { id, secret } = await addHook({ filter: "service eq 'Mail'" });
    await addHook();
    expect((await ask('POST', `webhooks/${id}/test`, {})).body).toMatchObject({ change: 'test', state: 'Waiting' });
    await app.runJobs();
    expect(target.received.map((message) => verified(message, secret).type)).toEqual(['mooring.health.event.test']);
  });

  test('the log is paged newest first, without gaps or repetition, and deletes entries after thirty days', async () => {
    const { app, addHook, ask, log } = await withHooks(dialect);
    const { id } = await addHook();
    const published = ['ALPHA', 'BRAVO', 'CHARLIE'];
    for (const name of published) {
      await app.publish(name);
      await app.runJobs();
    }
    const first = (await ask('GET', `webhooks/${id}/deliveries`, undefined, { query: '&$top=2' })).body;
    const next = new URL(first.nextLink);
    const token = await app.userToken(await app.addUser('root', { isAdmin: true }));
    const second = (await app.call('GET', next.pathname + next.search, { token })).json();
    const names = [...first.value, ...second.value].map(({ trackingId }: { trackingId: string }) => trackingId);
    expect([names, second.nextLink]).toEqual([published.toReversed(), undefined]);
    const read = async (query: string) => {
      const { body } = await ask('GET', `webhooks/${id}/deliveries`, undefined, { query });
      return [body.value.map(({ trackingId }: { trackingId: string }) => trackingId), body.total];
    };
    expect(await read('&sort=trackingId')).toEqual([published, 3]);
    expect(await read('&sort=createdAt&order=asc')).toEqual([published, 3]);
    expect(await read('&search=bravo%20PUBLISHED')).toEqual([['BRAVO'], 1]);
    expect(await read('&search=%25')).toEqual([[], 0]);
    const sorted = (await ask('GET', `webhooks/${id}/deliveries`, undefined, { query: '&$top=1&sort=trackingId' }))
      .body;
    const { pathname, search } = new URL(sorted.nextLink);
    expect((await app.call('GET', pathname + search, { token })).json().value[0].trackingId).toBe('BRAVO');
    const broken = await ask('GET', `webhooks/${id}/deliveries`, undefined, { query: '&$skipToken=x' });
    expect([broken.status, broken.body.code]).toEqual([400, 'InvalidSkipToken']);
    app.advance(31 * DAY);
    await sweepDeliveries(app.deps);
    expect(await log(id)).toEqual([]);
    const changes = () => app.database.query((q) => q.selectFrom('health_changes').select('name'));
    expect(await changes()).toHaveLength(3);
    await sweepChanges(systemCtx(app.deps));
    expect(await changes()).toEqual([]);
  });

  test('deleting a subscription deletes its webhooks with all data, and not those of others', async () => {
    const { app, addHook, tokens, target } = await withHooks(dialect);
    await addHook();
    const { id } = await addHook({}, { token: tokens.eve, subscription: south });
    await app.publish('ONE');
    const root = await app.userToken(await app.addUser('root', { isAdmin: true }));
    const url = `/subscriptions/${north}?api-version=2024-02-01`;
    expect((await app.call('DELETE', url, { token: root })).statusCode).toBe(204);
    await app.runJobs();
    expect(target.received).toHaveLength(1);
    const audit = await app.database.query((q) => q.selectFrom('audit_events').select('action'));
    expect(audit.map(({ action }) => action)).not.toContain('webhook.disable');
    await sweepChanges(systemCtx(app.deps));
    const left = await app.database.query((q) => q.selectFrom('delivery_endpoints').select('id'));
    expect(left).toEqual([{ id }]);
  });

  test('sends no queued deliveries of a disabled or deleted webhook', async () => {
    const { app, target, addHook, ask } = await withHooks(dialect);
    const [one, two] = [await addHook(), await addHook()];
    await app.publish('ONE');
    await ask('PATCH', `webhooks/${one.id}`, { isEnabled: false });
    await ask('DELETE', `webhooks/${two.id}`);
    await app.runJobs();
    expect(target.received).toEqual([]);
  });

  test('neither the database nor the audit log contains a secret', async () => {
    const { app, addHook } = await withHooks(dialect);
    const { secret } = await addHook();
    const rows = await app.database.query((q) => q.selectFrom('delivery_endpoints').selectAll());
    const events = await app.database.query((q) => q.selectFrom('audit_events').selectAll());
    expect(JSON.stringify([rows, events])).not.toContain(secret.slice(6, 20));
    expect(await app.logged()).not.toContain(secret.slice(6, 20));
  });
});
