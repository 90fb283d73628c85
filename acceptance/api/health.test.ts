import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, basic, type Call, createToken, createUser, password, send, sendRaw } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

const version = 'api-version=2024-02-01';
const mine = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';
const tenant = '33333333-3333-4333-8333-333333333333';
const list = `/subscriptions/${mine}/providers/Vendor.ResourceHealth/events`;

interface Page {
  value: { id: string; name: string; type: string; properties: Record<string, unknown> }[];
  nextLink?: string;
}

let server: RunningServer;
let admin: string;
let grace: string;

const at = (path: string) => `${server.httpUrl}${path}`;
const get = (path: string, call: Call = { token: grace }) => send('GET', at(path), call);
const queryEvents = (query: string) => get(`${list}?${version}&${query}`);
const getCode = (answer: Answer) => [answer.status, answer.json<{ code: string }>().code];
const listNames = (answer: Answer): string[] => {
  expect(answer.status, answer.text).toBe(200);
  return answer.json<Page>().value.map(({ name }) => name);
};

async function publish(name: string, properties: object): Promise<void> {
  const url = at(`/providers/Vendor.ResourceHealth/events/${name}?${version}`);
  const body = { properties: { eventType: 'ServiceIssue', title: name, ...properties } };
  const answer = await send('PUT', url, { token: admin, body });
  expect(answer.status, answer.text).toBe(201);
}

const impact = (impactedService: string, impactedRegion: string, names = {}) => [
  { impactedService, impactedRegions: [{ impactedRegion, ...names }] },
];

beforeAll(async () => {
  server = await startServer({
    env: {
      MOORING_VENDOR_NAME: 'Microsoft',
      MOORING_HEALTH_PAGE_SIZE: '2',
      MOORING_HEALTH_API_VERSIONS: '2022-10-01',
    },
  });
  admin = (await createToken(server)).api_token;
  await createUser(server, admin, 'grace');
  grace = (await createToken(server, {}, basic('grace@example.com', password))).api_token;
  for (const id of [mine, other]) {
    const body = { displayName: id, tenantId: tenant, owner: id === mine ? 'grace' : 'ada' };
    const made = await send('PUT', at(`/subscriptions/${id}?${version}`), { token: admin, body });
    expect(made.status, made.text).toBe(201);
  }
  await publish('A', { impact: impact('Virtual Machines', 'West US'), eventLevel: 'Critical' });
  await publish('B', { impact: impact('Mail', 'North'), eventType: 'PlannedMaintenance', enableVendorSupport: true });
  await publish('C', { impact: impact("O'Neill & Söhne", 'West US', { impactedSubscriptions: [mine, other] }) });
  await publish('D', { impact: impact('Mail', 'South', { impactedSubscriptions: [other] }) });
  await publish('E', { impact: impact('Mail', 'South', { status: 'Resolved', impactedTenants: [tenant] }) });
});
afterAll(() => server.stop());

describe('the list', () => {
  test("has the events for the caller, newest first, with only the caller's subscriptions in them", async () => {
    const first = await get(`${list}?${version}`);
    expect(listNames(first)).toEqual(['E', 'C']);
    expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
    const next = first.json<Page>().nextLink ?? '';
    expect(next).toMatch(new RegExp(`^${server.httpUrl}${list}\\?\\$skipToken=[\\w-]+&${version}$`));
    const second = await get(next.replace(server.httpUrl, ''));
    expect(listNames(second)).toEqual(['B', 'A']);
    expect(second.json<Page>().nextLink).toBeUndefined();
    expect(first.text + second.text).not.toContain(other);
    expect(first.text).toContain(mine);
  });

  test('is the same for either namespace and letter case, and has the requested name', async () => {
    for (const vendor of ['Vendor', 'Microsoft', 'microsoft', 'VENDOR']) {
      const path = `/SUBSCRIPTIONS/${mine}/Providers/${vendor}.resourcehealth/EVENTS`;
      const answer = await get(`${path}?${version}&$filter=trackingId%20eq%20'B'`);
      expect(listNames(answer)).toEqual(['B']);
      const [event] = answer.json<Page>().value;
      expect(event).toMatchObject({
        id: '/providers/Microsoft.ResourceHealth/events/B',
        type: '/providers/Microsoft.ResourceHealth/events',
        properties: { enableMicrosoftSupport: true, priority: 14 },
      });
      expect(event?.properties).not.toHaveProperty('enableVendorSupport');
    }
    expect(getCode(await get(`${list.replace('Vendor', 'Contoso')}?${version}`))).toEqual([404, 'ResourceNotFound']);
  });

  test.each([
    ["$filter=service eq 'Virtual Machines' or region eq 'North'", ['B', 'A']],
    ['%24filter=service%20eq%20%27virtual%20machines%27', ['A']],
    ["$filter=service+eq+'Mail'+and+region+eq+'south'", ['E']],
    ["$FILTER=(Properties/Status EQ 'Active') and not (region eq 'West US')", ['B']],
    ["$filter=service eq 'O''Neill %26 Söhne'", ['C']],
    ["$filter=properties/eventType ne 'ServiceIssue'", ['B']],
    ['$filter=priority lt 1', ['A']],
    ["$filter=region eq 'Nowhere'", []],
    ['$filter=', ['E', 'C']],
  ])('%s returns %j', async (query, names) => {
    expect(listNames(await queryEvents(encodeURI(query).replaceAll('%25', '%')))).toEqual(names);
  });

  test('names the first unknown word of a filter, and its position', async () => {
    const answer = await queryEvents(`$filter=${encodeURIComponent("colour eq 'red'")}`);
    expect(getCode(answer)).toEqual([400, 'InvalidFilterInQueryString']);
    expect(answer.json<{ message: string }>().message).toMatch(/position 1\b.*colour/);
  });

  test.each([
    ['7/24/2020', 2],
    ['7%2F24%2F2020', 2],
    ['2020-07-24', 2],
    ['2020-07-24T00:00:00', 2],
    ['07/24/2020+13:45:00', 2],
    ['12/31/2999', 0],
  ])('queryStartTime=%s is parsed and compared with lastUpdateTime', async (time, count) => {
    expect(listNames(await queryEvents(`queryStartTime=${time}`)).length).toBe(count);
  });

  test.each(['2/30/2020', '13/1/2020', 'yesterday'])('queryStartTime=%s is a 400', async (time) => {
    expect(getCode(await queryEvents(`queryStartTime=${time}`))).toEqual([400, 'InvalidQueryStartTime']);
  });

  test('a nextLink works even if a client rewrites its query', async () => {
    const filter = encodeURIComponent("service ne 'nothing'");
    const first = (await queryEvents(`$filter=${filter}&queryStartTime=7/24/2020`)).json<Page>();
    const next = new URL(first.nextLink ?? '');
    expect(next.searchParams.get('$filter')).toBe("service ne 'nothing'");
    expect(next.searchParams.get('queryStartTime')).toBe('7/24/2020');
    const token = next.searchParams.get('$skipToken');
    for (const query of [
      next.search.slice(1),
      `$skipToken=${token}&${version}`,
      `${version}&$skiptoken=${token}`,
      `%24skipToken=${token}&api-version=2022-10-01`,
      `$SKIPTOKEN=${token}&API-Version=2024-02-01&$filter=region+eq+'Nowhere'`,
    ]) {
      expect([query, listNames(await get(`${list}?${query}`))]).toEqual([query, ['B', 'A']]);
    }
  });

  test('rejects a token that was changed or belongs to another subscription', async () => {
    const first = (await queryEvents('')).json<Page>();
    const token = new URL(first.nextLink ?? '').searchParams.get('$skipToken') ?? '';
    const changed = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    expect(getCode(await queryEvents(`$skipToken=${changed}`))).toEqual([400, 'InvalidSkipToken']);
    const elsewhere = `${list.replace(mine, other)}?${version}&$skipToken=${token}`;
    expect(getCode(await get(elsewhere, { token: admin }))).toEqual([400, 'InvalidSkipToken']);
  });

  test('is consistent with the single event and the list of the tenant', async () => {
    expect((await get(`${list}/a?${version}`)).json()).toMatchObject({ name: 'A' });
    expect(getCode(await get(`${list}/D?${version}`))).toEqual([404, 'ResourceNotFound']);
    expect(listNames(await get(`/providers/Microsoft.ResourceHealth/events?${version}`))).toEqual(['E', 'C']);
  });
});

describe('an invalid request', () => {
  const flat = (code: string) => ({ code, message: expect.any(String), details: expect.any(String) });
  const raw = (text: string) => sendRaw(server, text);

  test.each([
    ['too many headers', `GET ${list} HTTP/1.1\r\nHost: localhost\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'an address that is too long',
      `GET ${list}?$filter=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      431,
    ],
    ['a broken header', `GET ${list} HTTP/1.1\r\nHost: localhost\r\nb ad: 1\r\n\r\n`, 400],
    ['an unknown protocol', `GET ${list} HTTP/9.9\r\nHost: localhost\r\n\r\n`, 400],
  ])('is rejected in the flat format at a path of health events: %s', async (_, text, status) => {
    const answer = await raw(text);
    expect([answer.status, answer.json()]).toEqual([status, flat(status === 431 ? 'HeadersTooLarge' : 'BadRequest')]);
  });

  test('is rejected in the usual format at other paths', async () => {
    const answer = await raw(`GET /v0.1/user HTTP/1.1\r\nHost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect([answer.status, answer.json()]).toEqual([
      431,
      { error: { code: 'HeadersTooLarge', message: expect.any(String) } },
    ]);
  });
});

describe('rejections use the flat format', () => {
  test.each([
    ['no api-version', list, {}, 400, 'MissingApiVersionParameter'],
    ['another api-version', `${list}?api-version=2015-01-01`, {}, 400, 'InvalidApiVersionParameter'],
    ['no GUID', `/subscriptions/x/providers/Vendor.ResourceHealth/events?${version}`, {}, 400, 'InvalidSubscriptionId'],
    ['no access', `${list.replace(mine, other)}?${version}`, {}, 403, 'AuthorizationFailed'],
    ['no subscription', `${list.replace(mine, tenant)}?${version}`, {}, 404, 'SubscriptionNotFound'],
    ['no such address', `/subscriptions/${mine}/nothing?${version}`, {}, 404, 'ResourceNotFound'],
    ['no credential', `${list}?${version}`, { authorization: '' }, 401, 'AuthenticationFailed'],
    ['no token', `${list}?${version}`, { authorization: 'Bearer nonsense' }, 401, 'InvalidAuthenticationToken'],
    ['no JWT', `${list}?${version}`, { authorization: 'Bearer eyJ.eyJ.sig' }, 401, 'InvalidAuthenticationToken'],
  ])('%s', async (_, path, headers: Record<string, string>, status, code) => {
    const { authorization, ...rest } = { authorization: `Bearer ${grace}`, ...headers };
    const answer = await get(path, { headers: { ...rest, ...(authorization ? { authorization } : {}) } });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const body = answer.json();
    expect([answer.status, body]).toEqual([
      status,
      {
        code,
        message: expect.any(String),
        details: expect.stringContaining(String(answer.headers['x-ms-request-id'])),
      },
    ]);
    if (status === 401) {
      const where = `Bearer authorization_uri="${server.httpsUrl}/common/oauth2/authorize"`;
      expect(answer.headers['www-authenticate']).toContain(where);
    }
    if (code === 'InvalidApiVersionParameter') expect(body.message).toContain('2024-02-01');
  });

  test('an unsupported method is a 405 that names the supported ones', async () => {
    const answer = await send('POST', at(`${list}?${version}`), { token: grace, body: {} });
    expect(getCode(answer)).toEqual([405, 'MethodNotAllowed']);
    expect(answer.headers.allow).toContain('GET');
  });

  test('responses have the IDs and counts that clients expect', async () => {
    const id = '99999999-9999-4999-8999-999999999999';
    const headers = { 'x-ms-correlation-request-id': id, 'x-ms-client-request-id': 'mine-1' };
    const answer = await get(`${list}?${version}`, { token: grace, headers });
    expect(answer.headers['x-ms-correlation-request-id']).toBe(id);
    expect(answer.headers['x-ms-client-request-id']).toBe('mine-1');
    expect(answer.headers['x-ms-request-id']).toBe(answer.headers['x-request-id']);
    expect(Number(answer.headers['x-ms-ratelimit-remaining-subscription-reads'])).toBeGreaterThan(0);
    const own = await get(`${list}?${version}`, { token: grace, headers: { 'x-ms-correlation-request-id': 'x' } });
    expect(own.headers['x-ms-correlation-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test('random bytes as filter, time, token and credential are rejected, never a 500', async () => {
  const bytes = fc
    .uint8Array({ maxLength: 60 })
    .map((all) => [...all].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('$filter', 'queryStartTime', '$skipToken'), bytes, async (name, value) => {
      const answer = await queryEvents(`${name}=${value}`);
      expect([200, 400]).toContain(answer.status);
    }),
    { numRuns: 150 },
  );
  const visible = fc.string({ unit: fc.constantFrom(...'abc.-_= ,"\\/~'), minLength: 1, maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(visible, async (value) => {
      const answer = await sendRaw(
        server,
        `GET ${list}?${version} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${value}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer.status).toBe(401);
    }),
    { numRuns: 50 },
  );
});

/** An open stream of events, and the events received so far. */
async function openStream(path: string, token: string) {
  const end = new AbortController();
  const answer = await fetch(at(path), { headers: { 'x-api-token': token }, signal: end.signal });
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  const stream = { received: '', hasEnded: false, close: () => end.abort(), ended: Promise.resolve() };
  const read = async () => {
    const text = answer.body?.pipeThrough(new TextDecoderStream());
    for await (const part of text ?? []) stream.received += part;
    stream.hasEnded = true;
  };
  stream.ended = read().catch(() => undefined);
  await expect.poll(() => stream.received).toContain('event: watching');
  return stream;
}

test('a stream ends for a user who loses access, and continues for others', async () => {
  const reader = at(`/subscriptions/${other}/readers/linus?${version}`);
  await createUser(server, admin, 'linus');
  const linus = (await createToken(server, {}, basic('linus@example.com', password))).api_token;
  expect((await send('PUT', reader, { token: admin, body: {} })).status).toBe(204);
  const webhooks = `/subscriptions/${other}/providers/Vendor.ResourceHealth/webhooks`;
  const made = await send('POST', at(`${webhooks}?${version}`), {
    token: linus,
    body: { url: 'https://hooks.example.com/in' },
  });
  expect(made.status, made.text).toBe(201);
  const webhook = `${webhooks}/${made.json<{ id: string }>().id}`;
  // Streams end after a while, and the administrator's is older than the others.
  const theirs = await openStream(`${webhook}/live?${version}`, admin);
  const his = await openStream(`${webhook}/live?${version}`, linus);

  const removed = await send('DELETE', reader, { token: admin });
  expect(removed.status, removed.text).toBe(204);
  await his.ended;
  expect([his.hasEnded, theirs.hasEnded]).toEqual([true, false]);
  expect(his.received).not.toContain('event: changed');
  expect((await get(`${webhook}/live?${version}`, { token: linus })).status).toBe(403);

  const sent = await send('POST', at(`${webhook}/test?${version}`), { token: admin, body: {} });
  expect(sent.status, sent.text).toBe(201);
  await expect.poll(() => theirs.received, { timeout: 20_000 }).toContain('event: changed');
  theirs.close();
}, 90_000);
