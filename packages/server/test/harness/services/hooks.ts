import { receiver } from '../../../../../test-support/webhook-receiver.ts';
import type { Config } from '../../../src/config.ts';
import { systemCtx } from '../../../src/context.ts';
import type { DialectName } from '../../../src/db/drivers/connection.ts';
import { addUpdate, type NewUpdate, withdrawEvent } from '../../../src/domains/health/events/health-events.ts';
import { addSubscriptionReader, removeSubscriptionReader } from '../../../src/domains/subscriptions/subscriptions.ts';
import { testApp } from '../app.ts';

export const north = '11111111-1111-4111-8111-111111111111';
export const south = '22222222-2222-4222-8222-222222222222';
const tenant = '33333333-3333-4333-8333-333333333333';
const otherTenant = '44444444-4444-4444-8444-444444444444';

/** Ada owns the subscription north, which Grace may read; Eve owns south. A receiver listens on this machine. */
export async function withHooks(dialect: DialectName, settings: Partial<Config> = {}) {
  const app = await testApp(dialect, {
    outboundAllow: ['127.0.0.0/8'],
    publicUrl: 'https://mooring.example.com',
    ...settings,
  });
  const [ada, grace, eve] = [await app.addUser('ada'), await app.addUser('grace'), await app.addUser('eve')];
  await app.addSubscription(north, 'ada', tenant);
  await app.addSubscription(south, 'eve', otherTenant);
  await addSubscriptionReader(systemCtx(app.deps), north, 'grace');
  const tokens = { ada: await app.userToken(ada), grace: await app.userToken(grace), eve: await app.userToken(eve) };

  /** Calls an endpoint of a subscription, such as `webhooks/…/test`. */
  const ask = async (
    method: string,
    path: string,
    body?: object,
    { token = tokens.ada, subscription = north, query = '' } = {},
  ) => {
    const url = `/subscriptions/${subscription}/providers/Vendor.ResourceHealth/${path}?api-version=2024-02-01${query}`;
    const answer = await app.call(method, url, { token, body });
    return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
  };
  const target = await receiver();
  const addHook = async (body: object = {}, options?: Parameters<typeof ask>[3]) =>
    (await ask('POST', 'webhooks', { url: target.url, ...body }, options)).body as { id: string; secret: string };
  const log = async (id: string, options?: Parameters<typeof ask>[3]) =>
    (await ask('GET', `webhooks/${id}/deliveries`, undefined, options)).body.value;
  const system = systemCtx(app.deps);
  const update = (trackingId: string, changes: Partial<NewUpdate> = {}) =>
    addUpdate(system, trackingId, { service: 'Mail', region: 'North', summary: 'Better.', ...changes });
  const withdraw = (trackingId: string) => withdrawEvent(system, trackingId);
  const addReader = (name: string) => addSubscriptionReader(system, north, name);
  /** Revokes Grace's access to north. */
  const dropGrace = () => removeSubscriptionReader(system, north, 'grace');
  return { app, ada, grace, eve, tokens, ask, target, addHook, log, system, update, withdraw, addReader, dropGrace };
}

/** An event of the service Mail in one region, for this audience. */
export const mailIn = (
  impactedRegion: string,
  named: { subscriptions?: string[]; status?: 'Active' | 'Resolved' } = {},
) => [
  {
    impactedService: 'Mail',
    impactedRegions: [
      {
        impactedRegion,
        impactedSubscriptions: named.subscriptions ?? [],
        ...(named.status ? { status: named.status } : {}),
      },
    ],
  },
];
