import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type Answer,
  basic,
  type Call,
  createToken,
  createUser,
  expectError,
  password,
  send,
} from '../harness/http.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let lastAddress = 0;

/** As the trusted proxy would say it: an address that no other test uses. */
const fromElsewhere = (): Record<string, string> => {
  lastAddress += 1;
  return { 'x-forwarded-for': `203.0.113.${lastAddress}` };
};
const call = (method: string, address: string, options?: Call): Promise<Answer> =>
  send(method, server.httpUrl + address, options);
const me = (token: string): Promise<Answer> => call('GET', '/v0.1/user', { token });

/** The count starts anew with each minute, so a test begins when enough of one is left. */
const enoughOfTheMinute = () =>
  vi.waitFor(() => expect(60_000 - (Date.now() % 60_000)).toBeGreaterThan(10_000), { timeout: 30_000, interval: 100 });

async function repeat(times: number, ask: (round: number) => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let round = 0; round < times; round += 1) statuses.push((await ask(round)).status);
  return statuses;
}

/** Tokens of as many users, so that making them does not use up anybody's allowance. */
async function tokensOf(prefix: string, count: number): Promise<string[]> {
  const keeper = await createToken(server, {}, { ...basic(admin.email, admin.password) });
  const tokens: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const { name } = await createUser(server, keeper.api_token, `${prefix}-${at}`);
    tokens.push((await createToken(server, {}, basic(name, password))).api_token);
  }
  return tokens;
}

let tokens: string[];
const nextToken = (): string => tokens.pop() ?? '';

beforeAll(async () => {
  const first = await startServer();
  server = first;
  tokens = [...(await tokensOf('a', 4)), ...(await tokensOf('b', 4))];
  await first.stop({ keepData: true });
  server = await startServer({
    dataDir: first.dataDir,
    env: { MOORING_RATE_LIMIT: '5', MOORING_TRUSTED_PROXIES: '127.0.0.1' },
  });
});

afterAll(() => server?.stop());

test('every answer tells the limit, what is left of it and when it starts anew; the sixth is refused', async () => {
  const token = nextToken();
  await enoughOfTheMinute();
  for (const remaining of [4, 3, 2, 1, 0]) {
    const { status, headers } = await me(token);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': String(remaining) });
    expect(Number(headers['ratelimit-reset'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
  }
  const refused = await me(token);
  expectError(refused, 'TooManyRequests');
  expect(refused.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(refused.text).toContain('5');
});

test('a refused change changes nothing', async () => {
  const token = nextToken();
  const list = async () => (await call('GET', '/v0.1/api_tokens', { token })).json<unknown[]>().length;
  await enoughOfTheMinute();
  expect(await list()).toBe(1);
  await repeat(4, () => me(token));
  expectError(await call('POST', '/v0.1/api_tokens', { token, body: {} }), 'TooManyRequests');
  const other = await call('PATCH', '/v0.1/user', { token, body: { display_name: 'Changed' } });
  expectError(other, 'TooManyRequests');
});

test('each credential has an allowance of its own, and so has an address without one', async () => {
  const [one, other] = [nextToken(), nextToken()];
  const there = fromElsewhere();
  const ask = (headers: Record<string, string>) => call('GET', '/v0.1/user', { headers: { ...there, ...headers } });
  await enoughOfTheMinute();
  expect(await repeat(6, () => ask({ 'x-api-token': one }))).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await ask({ 'x-api-token': other })).headers['ratelimit-remaining']).toBe('4');
  expect((await ask({})).headers['ratelimit-remaining']).toBe('4');
  expect((await ask({ authorization: `Bearer ${one}` })).status).toBe(429);
});

test('a session has its own allowance, apart from the tokens of the same user', async () => {
  const token = nextToken();
  const { name } = (await me(token)).json<{ name: string }>();
  await enoughOfTheMinute();
  const signedIn = await call('POST', '/v0.1/sessions', { headers: fromElsewhere(), body: { login: name, password } });
  const cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const withCookie = () => call('GET', '/v0.1/user', { headers: { cookie } });
  expect(await repeat(6, withCookie)).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await me(token)).status).toBe(200);
});

test('tokens that do not hold count against the address, so that guessing is slow', async () => {
  const there = fromElsewhere();
  const guess = (round: number, headers = there) =>
    call('GET', '/v0.1/user', { headers: { ...headers, 'x-api-token': `moor_u_${String(round).repeat(36)}` } });
  await enoughOfTheMinute();
  expect(await repeat(6, (round) => guess(round))).toEqual([401, 401, 401, 401, 401, 429]);
  expectError(await call('GET', '/v0.1/server', { headers: there }), 'TooManyRequests');
  expect((await guess(9, fromElsewhere())).status).toBe(401);
  const good = await call('GET', '/v0.1/user', { headers: there, token: nextToken() });
  expect(good.status).toBe(200);
});

test('an IPv6 network counts as one address', async () => {
  const from = (address: string) => call('GET', '/v0.1/server', { headers: { 'x-forwarded-for': address } });
  await enoughOfTheMinute();
  expect(await repeat(6, (round) => from(`2001:db8:1:2:${round + 1}::7`))).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await from('2001:db8:1:3::7')).status).toBe(200);
});

describe('probes are not limited', () => {
  test.each(['/healthz', '/readyz'])('%s', async (address) => {
    const there = fromElsewhere();
    const ask = () => call('GET', address, { headers: there });
    expect(await repeat(12, ask)).toEqual(Array(12).fill(200));
    expect((await ask()).headers).not.toHaveProperty('ratelimit-limit');
  });
});

test('what a stranger writes into X-Forwarded-For gives no fresh allowance', async () => {
  const direct = await startServer({ env: { MOORING_RATE_LIMIT: '5' } });
  try {
    const ask = (round: number) =>
      send('GET', `${direct.httpUrl}/v0.1/server`, { headers: { 'x-forwarded-for': `198.51.100.${round}` } });
    await enoughOfTheMinute();
    expect(await repeat(6, ask)).toEqual([200, 200, 200, 200, 200, 429]);
  } finally {
    await direct.stop();
  }
});
