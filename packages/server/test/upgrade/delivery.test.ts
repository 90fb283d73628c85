import { expect, test } from 'vitest';
import { eachDatabase } from '../harness/services/databases.ts';
import { listRows, upgraded, user } from './upgraded-database.ts';

const before = [
  ...user('ada'),
  `insert into subscriptions (id, tenant_id, display_name, owner_id, created_at, updated_at)
    values ('north', 'tenant', 'North', 'ada', 1, 1)`,
  `insert into webhooks (id, subscription_id, created_by, url, filter, secret, old_secret, old_secret_until, is_enabled,
    disabled_reason, failing_since, created_at, updated_at, oauth_client_id)
    values ('hook', 'north', 'ada', 'https://a.example', 'f', 's', 'o', 7, 0, 'Gone', 5, 2, 3, 'board')`,
  `insert into health_changes (id, version, kind, name, at, audiences, "except", body)
    values ('change', 1, 'published', 'ONE', 1, '', '', '{}')`,
  `insert into webhook_deliveries (id, webhook_id, change_id, replay, message_id, state, attempts, created_at, settled_at)
    values ('delivery', 'hook', 'change', 0, 'message', 'Failed', 1, 4, 6)`,
  `insert into webhook_attempts (delivery_id, number, at, ms, status, error, answer)
    values ('delivery', 1, 5, 20, 503, null, 'no')`,
  `insert into feeds (id, secret_hash, subscription_id, created_by, filter, created_at)
    values ('feed', 'hash', 'north', 'ada', '', 9)`,
];

eachDatabase('webhooks and feeds from before the delivery module', (dialect) => {
  test('keep their secrets, their log and their state', async () => {
    const database = await upgraded(dialect, '0014-versions', before);
    const rows = (table: string) => listRows(database, table);
    const log = { kind: 'published', subject: 'ONE', source_id: 'change', replay: 0, message_id: 'message' };
    const secrets = { secret: 's', old_secret: 'o', old_secret_until: 7 };
    expect(await rows('delivery_endpoints')).toMatchObject([
      { id: 'hook', channel: 'health', ...secrets, is_enabled: 0, disabled_reason: 'Gone', failing_since: 5 },
    ]);
    expect(await rows('health_webhooks')).toEqual([
      { id: 'hook', subscription_id: 'north', created_by: 'ada', oauth_client_id: 'board', filter: 'f' },
    ]);
    expect(await rows('deliveries')).toMatchObject([{ id: 'delivery', endpoint_id: 'hook', ...log, state: 'Failed' }]);
    expect(await rows('delivery_attempts')).toMatchObject([{ delivery_id: 'delivery', status: 503, answer: 'no' }]);
    expect(await rows('health_feeds')).toMatchObject([{ id: 'feed', secret_hash: 'hash' }]);
  });
});

const waiting = [
  `insert into delivery_endpoints (id, channel, url, secret, old_secret_until, is_enabled, created_at, updated_at)
    values ('hook', 'health', 'https://a.example', 's', 0, 1, 1, 1)`,
  ...['Waiting', 'Delivered'].map(
    (state) => `insert into deliveries (id, endpoint_id, kind, subject, source_id, replay, message_id, state, attempts,
      created_at) values ('${state}', 'hook', 'published', 'ONE', '${state}', 0, 'm', '${state}', 1, 4)`,
  ),
  ...['webhook.deliver', 'mail.send'].map(
    (name) => `insert into jobs (id, name, payload, attempts, due_at, created_at)
      values ('${name}', '${name}', '{}', 1, 5, 1)`,
  ),
];

eachDatabase('deliveries from before the delivery queue', (dialect) => {
  test('are due if they were waiting, without their jobs', async () => {
    const database = await upgraded(dialect, '0069-reprocessings', waiting);
    const rows = await listRows(database, 'deliveries', 'id');
    expect(rows.map(({ id, due_at, lease }) => [id, due_at, lease])).toEqual([
      ['Delivered', null, null],
      ['Waiting', 0, null],
    ]);
    expect(await listRows(database, 'jobs')).toMatchObject([{ name: 'mail.send' }]);
  });
});
