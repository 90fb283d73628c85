import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breakable } from '../../faults/kills/kill-steps.ts';
import { basic, createToken, createUser, password, send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { calls, mine, other, published, tenant, throttled, type Who } from './calls.ts';
import { clientAt, type HealthEvent } from './client.ts';
import { obtainAccessToken } from './implicit-flow.ts';
import { type Issuer, startIssuer } from './issuer.ts';

const version = 'api-version=2024-02-01';
const audience = 'https://health.example.com';

/** Two subscriptions of two users, and the events; returns the tokens of the administrator and the reader. */
async function prepare(server: RunningServer): Promise<{ admin: string; reader: string; stranger: string }> {
  const { api_token: admin } = await createToken(server);
  const tokens: string[] = [];
  for (const [name, id] of [
    ['grace', mine],
    ['hugo', other],
  ] as const) {
    await createUser(server, admin, name);
    tokens.push((await createToken(server, {}, basic(name, password))).api_token);
    const body = { displayName: name, tenantId: tenant, owner: name };
    const made = await send('PUT', `${server.httpUrl}/subscriptions/${id}?${version}`, { token: admin, body });
    expect(made.status, made.text).toBe(201);
  }
  for (const [trackingId, properties] of published) {
    const url = `${server.httpUrl}/providers/Microsoft.ResourceHealth/events/${trackingId}?${version}`;
    const body = { properties: { eventType: 'ServiceIssue', title: trackingId, ...properties } };
    const answer = await send('PUT', url, { token: admin, body });
    expect(answer.status, answer.text).toBe(201);
  }
  const [reader = '', stranger = ''] = tokens;
  return { admin, reader, stranger };
}

const env = {
  MOORING_VENDOR_NAME: 'Microsoft',
  MOORING_HEALTH_PAGE_SIZE: '2',
  MOORING_HEALTH_API_VERSIONS: '2022-10-01',
};

describe('with a server', () => {
  let server: RunningServer;
  let issuer: Issuer;
  let tokens: Record<Who, string>;

  beforeAll(async () => {
    issuer = await startIssuer();
    server = await startServer({
      env: { ...env, MOORING_OIDC_ISSUER: issuer.url, MOORING_OIDC_AUDIENCE: audience },
    });
    const { admin, reader, stranger } = await prepare(server);
    const now = Math.floor(Date.now() / 1000);
    const claims = { sub: 'grace', email: 'grace@example.com', email_verified: true, iat: now - 7200 };
    tokens = {
      reader,
      browser: await obtainAccessToken(server, admin, 'grace'),
      stranger,
      anonymous: '',
      wrong: 'nonsense',
      expired: issuer.issue({ ...claims, aud: audience, exp: now - 3600 }),
      elsewhere: issuer.issue({ ...claims, aud: 'https://elsewhere.example.com', exp: now + 3600 }),
    };
  });
  afterAll(async () => {
    await server.stop();
    issuer.close();
  });

  it.each(calls)('$line — $shows', async (call) => {
    const { who = 'reader', subscription = mine, apiVersion = '2024-02-01', run, returns: expected, fails } = call;
    const caller = { token: tokens[who], subscriptionId: subscription, apiVersion: apiVersion ?? undefined };
    const client = await clientAt(server, caller);
    if (!fails) {
      const result = await run(client);
      if (Array.isArray(expected)) expect(result).toHaveLength(expected.length);
      expect(result).toMatchObject(expected as object);
      return;
    }
    const error = await run(client).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      name: 'RestError',
      ...fails,
      message: expect.stringMatching(/\S/),
      details: { code: fails.code, message: expect.any(String), details: expect.any(String) },
    });
  });

  it('parses times as dates', async () => {
    const client = await clientAt(server, { token: tokens.reader, subscriptionId: mine, apiVersion: '2024-02-01' });
    const event = await client.eventOperations.getBySubscriptionIdAndTrackingId('DB-1');
    for (const property of ['lastUpdateTime', 'impactStartTime', 'impactMitigationTime']) {
      expect(event[property]).toBeInstanceOf(Date);
      expect(Number(event[property])).toBeGreaterThan(Date.UTC(2026));
    }
  });
});

const MINUTE = 60_000;
const WAIT = 5000;

it(throttled, { timeout: 180_000 }, async () => {
  const open = await startServer({ env });
  const { reader } = await prepare(open);
  await open.stop({ keepData: true });
  const settings = { env, dataDir: open.dataDir };
  const { set, start } = breakable({ settings }, { MOORING_RATE_LIMIT: '2', MOORING_LOG_LEVEL: 'info' });
  const server = await start();
  try {
    const client = await clientAt(server, { token: reader, subscriptionId: mine, apiVersion: '2024-02-01' });
    // Three pages exceed the limit per minute, unless the minute ends between them; then the next three do.
    while (!server.output().includes('TooManyRequests')) {
      // The client really waits, so start near the end of the server's minute.
      set(String(2 * MINUTE - WAIT - (Date.now() % MINUTE)));
      await sleep(100);
      const names: HealthEvent['name'][] = [];
      for await (const { name } of client.eventsOperations.listBySubscriptionId()) names.push(name);
      expect(names).toEqual(['VM-3', 'DB-1', 'VM-2', 'MAIL-1', 'VM-1']);
    }
  } finally {
    await server.stop();
  }
});
