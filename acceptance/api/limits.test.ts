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

/** An address that no other test uses, in the header of the trusted proxy. */
const fromElsewhere = (): Record<string, string> => {
  lastAddress += 1;
  return { 'x-forwarded-for': `203.0.113.${lastAddress}` };
};
const call = (method: string, address: string, options?: Call): Promise<Answer> =>
  send(method, server.httpUrl + address, options);
const me = (token: string): Promise<Answer> => call('GET', '/v0.1/user', { token });

/** The count resets every minute, so a test waits until enough of a minute is left. */
const untilMinuteIsYoung = () =>
  vi.waitFor(() => expect(60_000 - (Date.now() % 60_000)).toBeGreaterThan(10_000), { timeout: 30_000, interval: 100 });

async function repeat(times: number, request: (round: number) => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let round = 0; round < times; round += 1) statuses.push((await request(round)).status);
  return statuses;
}

/** Tokens of different users, so that creating them uses up no allowance of the tests. */
async function createTokens(prefix: string, count: number): Promise<string[]> {
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
  tokens = [...(await createTokens('a', 4)), ...(await createTokens('b', 4))];
  await first.stop({ keepData: true });
  server = await startServer({
    dataDir: first.dataDir,
    env: { MOORING_RATE_LIMIT: '5', MOORING_TRUSTED_PROXIES: '127.0.0.1' },
  });
});

afterAll(() => server?.stop());

test('each response has the limit, the remaining requests and the time of the reset; the sixth request is rejected', async () => {
  const token = nextToken();
  await untilMinuteIsYoung();
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

test('a rejected change changes nothing', async () => {
  const token = nextToken();
  const list = async () => (await call('GET', '/v0.1/api_tokens', { token })).json<unknown[]>().length;
  await untilMinuteIsYoung();
  expect(await list()).toBe(1);
  await repeat(4, () => me(token));
  expectError(await call('POST', '/v0.1/api_tokens', { token, body: {} }), 'TooManyRequests');
  const other = await call('PATCH', '/v0.1/user', { token, body: { display_name: 'Changed' } });
  expectError(other, 'TooManyRequests');
});

test('each credential has its own allowance, and so does an address without one', async () => {
  const [one, other] = [nextToken(), nextToken()];
  const there = fromElsewhere();
  const request = (headers: Record<string, string>) => call('GET', '/v0.1/user', { headers: { ...there, ...headers } });
  await untilMinuteIsYoung();
  expect(await repeat(6, () => request({ 'x-api-token': one }))).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await request({ 'x-api-token': other })).headers['ratelimit-remaining']).toBe('4');
  expect((await request({})).headers['ratelimit-remaining']).toBe('4');
  expect((await request({ authorization: `Bearer ${one}` })).status).toBe(429);
});

test('a session has its own allowance, separate from the tokens of the same user', async () => {
  const token = nextToken();
  const { name } = (await me(token)).json<{ name: string }>();
  await untilMinuteIsYoung();
  const signedIn = await call('POST', '/v0.1/sessions', { headers: fromElsewhere(), body: { login: name, password } });
  const cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const withCookie = () => call('GET', '/v0.1/user', { headers: { cookie } });
  expect(await repeat(6, withCookie)).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await me(token)).status).toBe(200);
});

test('invalid tokens count against the address, so that guessing is slow', async () => {
  const there = fromElsewhere();
  const guess = (round: number, headers = there) =>
    call('GET', '/v0.1/user', { headers: { ...headers, 'x-api-token': `moor_u_${String(round).repeat(36)}` } });
  await untilMinuteIsYoung();
  expect(await repeat(6, (round) => guess(round))).toEqual([401, 401, 401, 401, 401, 429]);
  expectError(await call('GET', '/v0.1/server', { headers: there }), 'TooManyRequests');
  expect((await guess(9, fromElsewhere())).status).toBe(401);
  const good = await call('GET', '/v0.1/user', { headers: there, token: nextToken() });
  expect(good.status).toBe(200);
});

test('an IPv6 network counts as one address', async () => {
  const from = (address: string) => call('GET', '/v0.1/server', { headers: { 'x-forwarded-for': address } });
  await untilMinuteIsYoung();
  expect(await repeat(6, (round) => from(`2001:db8:1:2:${round + 1}::7`))).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await from('2001:db8:1:3::7')).status).toBe(200);
});

describe('probes are not limited', () => {
  test.each(['/healthz', '/readyz'])('%s', async (address) => {
    const there = fromElsewhere();
    const request = () => call('GET', address, { headers: there });
    expect(await repeat(12, request)).toEqual(Array(12).fill(200));
    expect((await request()).headers).not.toHaveProperty('ratelimit-limit');
  });
});

test('a forged X-Forwarded-For gets no new allowance', async () => {
  const direct = await startServer({ env: { MOORING_RATE_LIMIT: '5' } });
  try {
    const request = (round: number) =>
      send('GET', `${direct.httpUrl}/v0.1/server`, { headers: { 'x-forwarded-for': `198.51.100.${round}` } });
    await untilMinuteIsYoung();
    expect(await repeat(6, request)).toEqual([200, 200, 200, 200, 200, 429]);
  } finally {
    await direct.stop();
  }
});
