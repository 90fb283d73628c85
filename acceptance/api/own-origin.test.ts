import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, createToken, send } from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

const version = 'api-version=2024-02-01';
const subscription = '11111111-1111-4111-8111-111111111111';
const list = `/subscriptions/${subscription}/providers/Vendor.ResourceHealth/events`;
const B = '/v0.1/apps/ada/compass';

let server: RunningServer;
let token: string;
let ca: string;
let own: string[];

const request = (method: string, url: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> =>
  send(method, url, { token, headers, ...(body ? { body } : {}), ...(url.startsWith('https:') ? { ca } : {}) });

beforeAll(async () => {
  server = await startServer({ env: { MOORING_HEALTH_PAGE_SIZE: '2' } });
  token = (await createToken(server)).api_token;
  ca = readFileSync(server.caFile, 'utf8');
  own = [server.httpUrl, server.httpsUrl].flatMap((url) => [url, url.replace('localhost', '127.0.0.1')]);
  const made = [
    await request('PUT', `${server.httpUrl}/subscriptions/${subscription}?${version}`, {
      displayName: 'Main',
      tenantId: '33333333-3333-4333-8333-333333333333',
      owner: 'ada',
    }),
    ...(await Promise.all(
      ['A', 'B', 'C'].map((name) =>
        request('PUT', `${server.httpUrl}/providers/Vendor.ResourceHealth/events/${name}?${version}`, {
          properties: { eventType: 'ServiceIssue', title: name },
        }),
      ),
    )),
    await request('POST', `${server.httpUrl}/v0.1/apps`, {
      name: 'compass',
      display_name: 'Compass',
      os: 'Android',
      platform: 'React-Native',
    }),
    await request('POST', `${server.httpUrl}${B}/deployments`, { name: 'Staging' }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
});
afterAll(() => server?.stop());

const getNextLink = (answer: Answer): string => answer.json<{ nextLink: string }>().nextLink;

test('the next page is at the requested origin even if pages are cached, and its link works there', async () => {
  for (const origin of [...own, ...own]) {
    const first = await request('GET', `${origin}${list}?${version}`);
    expect([first.status, new URL(getNextLink(first)).origin]).toEqual([200, origin]);
    const second = await request('GET', getNextLink(first));
    expect([second.status, second.json<{ value: unknown[] }>().value.length]).toEqual([200, 1]);
  }
});

test('uploads use the requested origin', async () => {
  for (const origin of own) {
    const domains = [
      (await request('POST', `${origin}${B}/uploads/releases`, {})).json<{ upload_domain: string }>().upload_domain,
      (await request('POST', `${origin}${B}/deployments/Staging/uploads`, {})).json<{ upload_domain: string }>()
        .upload_domain,
      new URL((await request('POST', `${origin}${B}/release_uploads`, {})).json<{ upload_url: string }>().upload_url)
        .origin,
      new URL(
        (await request('POST', `${origin}${B}/symbol_uploads`, { symbol_type: 'Apple' })).json<{ upload_url: string }>()
          .upload_url,
      ).origin,
    ];
    expect(domains).toEqual([origin, origin, origin, origin]);
  }
});

test.each<Record<string, string>>([
  { host: 'evil.example' },
  { host: 'localhost:1' },
  { 'x-forwarded-host': 'evil.example' },
  { forwarded: 'host=evil.example' },
  { 'x-forwarded-for': '192.0.2.1' },
])('a request with the headers %j gets the public URL', async (headers) => {
  const page = await request('GET', `${server.httpUrl}${list}?${version}`, undefined, headers);
  expect(new URL(getNextLink(page)).origin).toBe(server.httpsUrl);
  const upload = await request('POST', `${server.httpUrl}${B}/uploads/releases`, {}, headers);
  expect(upload.json<{ upload_domain: string }>().upload_domain).toBe(server.httpsUrl);
});

test('links for others have the public URL', async () => {
  const feeds = list.replace(/events$/, 'feeds');
  const feed = await request('POST', `${server.httpUrl}${feeds}?${version}`, { properties: { name: 'All' } });
  expect([feed.status, feed.text.includes(server.httpUrl)]).toEqual([201, false]);
  expect(feed.text).toContain(server.httpsUrl);
  const ingestion = await request('GET', `${server.httpUrl}${B}/ingestion`);
  expect([ingestion.status, ingestion.text.includes(server.httpUrl)]).toEqual([200, false]);
});
