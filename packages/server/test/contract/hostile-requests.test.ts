import { type EndpointSpec, endpoints, HealthEvents_Import } from '@mooring/contract';
import { exampleRequest } from '@mooring/contract/fixtures';
import { expect, test } from 'vitest';
import { type Call, type TestApp, testApp } from '../harness/app.ts';
import { fixtureCopies } from '../harness/fixtures.ts';
import { eachDatabase } from '../harness/services/databases.ts';
import { tokenFor } from '../harness/token-for.ts';

/** A user with an app, and a token. */
async function withCompass(app: TestApp): Promise<string> {
  const owner = await app.addUser('ada');
  await app.addApp(owner, 'compass');
  return app.userToken(owner);
}

const listNumberParameters = ({ query }: EndpointSpec): string[] =>
  Object.entries(query?.properties ?? {}).flatMap(([name, schema]) =>
    ['integer', 'number'].includes((schema as { type?: string }).type ?? '') ? [name] : [],
  );

const json = { 'content-type': 'application/json' };

eachDatabase('a hostile request', (dialect) => {
  const openCopy = fixtureCopies(dialect);

  test('with an infinite number is refused by every operation with a number', async () => {
    const { app, fixtures } = await openCopy();
    const cases = endpoints.flatMap((spec) => listNumberParameters(spec).map((name) => ({ spec, name })));
    expect(cases.length).toBeGreaterThan(5);
    for (const { spec, name } of cases) {
      for (const value of ['1e999', '-1e999', 'Infinity', '-Infinity', 'NaN']) {
        const { headers, body, ...example } = exampleRequest(spec, fixtures);
        const url = new URL(example.url, 'http://localhost');
        url.searchParams.set(name, value);
        const answer = await app.call(spec.method, url.pathname + url.search, {
          token: tokenFor(spec, fixtures),
          headers,
          body,
        });
        expect([spec.id, name, value, answer.statusCode]).toEqual([spec.id, name, value, 400]);
        expect(answer.body).toContain(name);
      }
    }
  });

  test('with deep JSON is refused by every operation with JSON', async () => {
    const { app, fixtures } = await openCopy();
    const nested = (open: string, close: string) => open.repeat(60_000) + close.repeat(60_000);
    const bodies = [
      nested('[', ']'),
      nested('{"a":', '}').replace(':}', ':1}'),
      `{"properties":${nested('{"a":[', ']}')}}`,
      `{"properties":{"title":${nested('[', '"\\u0000"]')}}}`,
    ];
    for (const spec of endpoints.filter(({ request }) => request?.kind === 'json')) {
      for (const body of bodies) {
        const { url, headers } = exampleRequest(spec, fixtures);
        const answer = await app.call(spec.method, url, {
          token: tokenFor(spec, fixtures),
          body,
          headers: { ...headers, ...json },
        });
        expect([spec.id, answer.statusCode]).toEqual([spec.id, 400]);
        expect(answer.body).toContain('levels deep');
      }
    }
  });
});

test('a file of events may have any depth, and only the parts that are too deep are refused', async () => {
  const app = await testApp('sqlite');
  const token = await app.userToken(await app.addUser('root', { isAdmin: true }));
  const deep = '['.repeat(60_000) + ']'.repeat(60_000);
  const body = `{"name":"DEEP-1","properties":{"title":${deep}}}\n{"name":"FINE-1","properties":{"eventType":"ServiceIssue","title":"Fine"}}\n`;
  const headers = { 'content-type': 'application/x-ndjson' };
  const { method, url } = exampleRequest(HealthEvents_Import);
  const answer = await app.call(method, url, { token, body, headers });
  expect(answer.json()).toMatchObject({ imported: 1, refused: [{ index: 0, code: 'BadRequest' }] });
});

test.each([
  '/assets/..',
  '/assets/%5c',
  '/assets/..%5c..%5cindex.html',
  '/assets/..%2f..%2findex.html',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/assets/.hidden',
  '/assets/',
  `/assets/${'a'.repeat(5000)}`,
  '/docs/..',
  '/docs/%5c',
  '/avatars/%5c',
  '/avatars/..%2f..%2fmooring.db',
  `/avatars/${'a'.repeat(499)}`,
])('%s finds no file', async (url) => {
  const app = await testApp('sqlite');
  for (const method of ['GET', 'HEAD']) expect((await app.call(method, url)).statusCode).toBe(404);
});

test('refuses an access token with deep claims', async () => {
  const app = await testApp('sqlite');
  const deep = '['.repeat(5000) + ']'.repeat(5000);
  const part = (text: string) => Buffer.from(text).toString('base64url');
  const issuer = `${app.deps.publicUrl()}/common`;
  for (const claims of [`{"iss":${deep}}`, `{"iss":"${issuer}","aud":${deep}}`, deep, '1', 'null', '"x"']) {
    const headers = { authorization: `Bearer ${part('{"alg":"RS256","kid":"x"}')}.${part(claims)}.x` };
    const answer = await app.call('GET', '/providers/Vendor.ResourceHealth/events?api-version=2024-02-01', { headers });
    expect(answer.statusCode).toBe(401);
  }
});

const part = (header: string, content = 'x') =>
  `--xyz\r\nContent-Disposition: form-data; ${header}\r\n\r\n${content}\r\n`;
const file = (name: string) => part(`name="${name}"; filename="a.png"`);

test.each([
  ['many parts without headers', '--xyz\r\n\r\nx\r\n'.repeat(50)],
  ['many broken parts', '--xyz\r\n'.repeat(50)],
  ['many fields', part('name="a"').repeat(50)],
  ['many files', file('avatar').repeat(50)],
  ['files nobody asked for', file('other').repeat(3)],
  ['a file and another', file('avatar') + file('other')],
  ['a part without a name', part('x')],
  ['a broken header', '--xyz\r\nContent-Disposition\r\n\r\n'],
  ['nothing', ''],
])('refuses a form of %s, also truncated anywhere, and the server continues', async (_, content) => {
  const app = await testApp('sqlite');
  const token = await withCompass(app);
  const body = `${content}--xyz--`;
  const ends = [0, 1, 5, 9, 20, 40, 60].map((at) => body.slice(0, Math.max(1, body.length - at)));
  const headers = { 'content-type': 'multipart/form-data; boundary=xyz' };
  const send = (body: string) => app.call('POST', '/v0.1/apps/ada/compass/avatar', { token, body, headers });
  for (const body of ends) {
    const answer = await send(body);
    expect([body.slice(-30), answer.statusCode]).toEqual([body.slice(-30), 400]);
  }
  expect((await app.call('GET', '/healthz')).statusCode).toBe(200);
});

const MEGABYTE = 1_048_576;
const fill = (text: string, size: number): string => text.repeat(Math.floor(size / text.length));
const HEADER = 15_000;

/** The largest input of each parser of requests, in its most expensive form. */
const largest: Record<string, Call & { method?: string; url?: string }> = {
  'a form of many fields': { url: '/common/oauth2/token', body: fill('a=&', 8000), headers: form() },
  'a form of one name again and again': { url: '/common/oauth2/token', body: fill('%61&', 8000), headers: form() },
  'a form of escapes': { url: '/common/oauth2/token', body: fill('%', 8000), headers: form() },
  'JSON of many names': { body: `{${fill('"a":1,', MEGABYTE - 99)}"b":1}`, headers: json },
  'JSON of escapes': { body: `{"a":"${fill('\\u0000', MEGABYTE - 99)}"}`, headers: json },
  'JSON of backslashes': { body: `{"a":"${fill('\\\\', MEGABYTE - 99)}"}`, headers: json },
  'JSON of quotes': { body: fill('"', MEGABYTE - 99), headers: json },
  'JSON of blanks': { body: `{"__proto__"${fill(' ', MEGABYTE - 99)}`, headers: json },
  'JSON of forbidden names': { body: fill('{"__proto__" ', MEGABYTE - 99), headers: json },
  'JSON that never closes': { body: fill('[', MEGABYTE - 99), headers: json },
  'a multipart form of boundaries': {
    url: '/v0.1/apps/ada/compass/avatar',
    body: fill('--xyz\r\n', 900_000),
    headers: parts(),
  },
  'a multipart form that is nearly boundaries': {
    url: '/v0.1/apps/ada/compass/avatar',
    body: fill('\r\n--xy', 900_000),
    headers: parts(),
  },
  'a multipart form of headers': {
    url: '/v0.1/apps/ada/compass/avatar',
    body: `--xyz\r\n${fill('a:b\r\n', 900_000)}\r\n\r\n--xyz--`,
    headers: parts(),
  },
  'a query of one name': { method: 'GET', url: `/v0.1/apps?${fill('limit=1&', HEADER)}` },
  'a query of names': { method: 'GET', url: `/v0.1/apps?${fill('a&', HEADER)}` },
  'a query of escapes': { method: 'GET', url: `/v0.1/apps?a=${fill('%25', HEADER)}` },
  'a path of parts': { method: 'GET', url: fill('/a', HEADER) },
  'a path that is nearly secret': { method: 'GET', url: `/${fill(`${'a'.repeat(31)}-`, HEADER)}` },
  'a path of the health API': { method: 'GET', url: fill('/subscriptions/providers', HEADER) },
  'a question to OAuth': { method: 'GET', url: `/common/oauth2/authorize?${fill('&asked=1.', HEADER)}` },
  cookies: { method: 'GET', url: '/v0.1/user', headers: { cookie: fill('mooring_session;', HEADER) } },
  'a credential of blanks': {
    method: 'GET',
    url: '/v0.1/user',
    headers: { authorization: `a${fill(' ', HEADER)}b c` },
  },
  'a credential of dots': {
    method: 'GET',
    url: '/providers/Vendor.ResourceHealth/events?api-version=2024-02-01',
    headers: { authorization: `Bearer ${fill('a.', HEADER)}` },
  },
  'a chain of proxies': { method: 'GET', url: '/v0.1/user', headers: { 'x-forwarded-for': fill('1.1.1.1,', HEADER) } },
  'a chain of nothing': { method: 'GET', url: '/v0.1/user', headers: { 'x-forwarded-for': fill(',', HEADER) } },
};

function form() {
  return { 'content-type': 'application/x-www-form-urlencoded' };
}
function parts() {
  return { 'content-type': 'multipart/form-data; boundary=xyz' };
}

/** A superlinear parser takes minutes at these sizes, a linear one some milliseconds on any machine. */
const PATIENCE_SECONDS = 3;

test.each(Object.entries(largest))('%s does not block the server at any size', async (_, attack) => {
  const app = await testApp('sqlite', { trustedProxies: ['127.0.0.1'] });
  const token = await withCompass(app);
  const { method = 'POST', url = '/v0.1/orgs', ...call } = attack;
  const withToken = call.headers?.authorization || call.headers?.cookie ? {} : { token };
  const before = process.cpuUsage();
  const answer = await app.call(method, url, { ...withToken, ...call });
  const { user, system } = process.cpuUsage(before);
  expect(answer.statusCode).toBeLessThan(500);
  expect((user + system) / 1e6).toBeLessThan(PATIENCE_SECONDS);
});
