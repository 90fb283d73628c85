import fc from 'fast-check';
import { expect, test } from 'vitest';
import { soundSign } from '../../../test-support/hostile-text.ts';
import { adminUsers_list, users_get, users_update } from './accounts/users.contract.ts';
import { analytics_breakdown } from './analytics/explore.contract.ts';
import { apps_updateAvatar } from './apps/apps.contract.ts';
import { avatars_get } from './avatars/avatars.contract.ts';
import { createClient } from './client.ts';
import { ApiError } from './endpoint/api-error.ts';
import { HealthEvent_Publish, HealthEvents_Import } from './health/health-events.contract.ts';
import { HealthFeeds_ReadAtom } from './health/health-feeds.contract.ts';
import { oauth_authorize, oauth_token } from './identity/oauth-protocol.contract.ts';
import { healthVersion } from './subscriptions/health.surface.ts';
import { appApiTokens_delete, userApiTokens_create, userApiTokens_delete } from './tokens/api-tokens.contract.ts';

interface Sent {
  url: string;
  method: string | undefined;
  headers: Headers;
  body: unknown;
}

/** A client with a network that always returns one response, and the requests it received. */
function clientWith(response: Response, options: { token?: string; baseUrl?: string } = {}) {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    sent.push({ url: String(url), method: init?.method, headers: new Headers(init?.headers), body: init?.body });
    return response.clone();
  };
  const call = createClient({ baseUrl: 'https://mooring.example', fetch, ...options });
  const only = (): Sent => {
    const [first] = sent;
    if (!first || sent.length !== 1) throw new Error(`${sent.length} requests were sent`);
    return first;
  };
  return { call, only };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
const noContent = () => new Response(null, { status: 204 });

/** Returns the error that a call throws. */
async function getFailure(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return error;
}

test('sends method, URL and token, and returns the body', async () => {
  const { call, only } = clientWith(json(200, { name: 'ada' }), { token: 'moor_u_x' });
  expect(await call(users_get)).toEqual({ name: 'ada' });
  expect(only()).toMatchObject({ method: 'GET', url: 'https://mooring.example/v0.1/user', body: undefined });
  expect(only().headers.get('x-api-token')).toBe('moor_u_x');
  expect(only().headers.get('content-type')).toBeNull();
});

test('sends no token header without a token, and a relative URL without a base URL', async () => {
  const { call, only } = clientWith(json(200, {}), { baseUrl: '' });
  await call(users_get);
  expect(only().url).toBe('/v0.1/user');
  expect(only().headers.has('x-api-token')).toBe(false);
});

test('sends a body as JSON, and {} if it is omitted', async () => {
  const withBody = clientWith(json(200, {}));
  await withBody.call(users_update, { body: { display_name: 'Ada', avatar_url: null } });
  expect(withBody.only()).toMatchObject({ method: 'PATCH', body: '{"display_name":"Ada","avatar_url":null}' });
  expect(withBody.only().headers.get('content-type')).toBe('application/json');

  const withoutBody = clientWith(json(201, {}));
  await withoutBody.call(userApiTokens_create);
  expect(withoutBody.only().body).toBe('{}');
});

test('sends a file as a form and leaves the content type to fetch', async () => {
  const { call, only } = clientWith(json(200, {}));
  const file = new File(['bytes'], 'icon.png', { type: 'image/png' });
  await call(apps_updateAvatar, { params: { owner_name: 'ada', app_name: 'compass' }, file });
  expect(only()).toMatchObject({ method: 'POST', url: 'https://mooring.example/v0.1/apps/ada/compass/avatar' });
  expect(only().headers.has('content-type')).toBe(false);
  const sent = only().body as FormData;
  expect([...sent.keys()]).toEqual(['avatar']);
  expect(sent.get('avatar')).toMatchObject({ name: 'icon.png', type: 'image/png', size: 5 });
});

test('keeps any path parameter in one segment and delivers it unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1, unit: soundSign }),
      fc.string({ minLength: 1, unit: soundSign }),
      async (owner, app) => {
        fc.pre(![owner, app].some((name) => /^\.{1,2}$/.test(name)));
        const { call, only } = clientWith(noContent());
        await call(appApiTokens_delete, { params: { owner_name: owner, app_name: app, api_token_id: 'a/b?c#d' } });
        const path = only().url.replace('https://mooring.example', '');
        const segments = path.split('/').map(decodeURIComponent);
        expect(segments).toEqual(['', 'v0.1', 'apps', owner, app, 'api_tokens', 'a/b?c#d']);
      },
    ),
  );
});

test.each(['', '.', '..'])('rejects the path parameter %j, because it would change the path', async (app_name) => {
  const { call } = clientWith(noContent());
  const params = { owner_name: 'ada', app_name, api_token_id: '1' };
  await expect(call(appApiTokens_delete, { params })).rejects.toThrow(`app_name cannot be "${app_name}"`);
});

test('repeats a query parameter for each value of a list, and omits empty lists', async () => {
  const params = { owner_name: 'ada', app_name: 'compass' };
  const range = { start: '2026-11-01T00:00:00Z', measure: 'devices' } as const;
  const two = clientWith(json(200, {}));
  await two.call(analytics_breakdown, { params, query: { ...range, by: ['os', 'property:a,b'] } });
  expect(two.only().url).toContain('&by=os&by=property%3Aa%2Cb');
  const none = clientWith(json(200, {}));
  await none.call(analytics_breakdown, { params, query: { ...range, by: [] } });
  expect(none.only().url).not.toContain('by=');
});

test('encodes a query and omits undefined values', async () => {
  const full = clientWith(json(200, { values: [] }));
  await full.call(adminUsers_list, { query: { limit: 5, cursor: 'a b&c=d/é' } });
  const url = new URL(full.only().url);
  expect(url.pathname).toBe('/v0.1/admin/users');
  expect(Object.fromEntries(url.searchParams)).toEqual({ limit: '5', cursor: 'a b&c=d/é' });

  const empty = clientWith(json(200, { values: [] }));
  await empty.call(adminUsers_list, { query: { limit: undefined } });
  expect(empty.only().url).toBe('https://mooring.example/v0.1/admin/users');
});

test('returns nothing for a response without a body', async () => {
  const { call } = clientWith(noContent());
  expect(await call(userApiTokens_delete, { params: { api_token_id: 'x' } })).toBeUndefined();
});

test('throws status, code, message, request ID and retry delay of an error response', async () => {
  const body = { error: { code: 'TooManyRequests', message: 'Wait.' } };
  const { call } = clientWith(json(429, body, { 'x-request-id': 'k3v9x-1f', 'retry-after': '17' }));
  const error = await getFailure(call(users_get));
  expect(error.message).toBe('Wait.');
  expect(error).toMatchObject({
    name: 'ApiError',
    status: 429,
    code: 'TooManyRequests',
    requestId: 'k3v9x-1f',
    retryAfter: 17,
  });
});

test("throws the status of an error in another format, such as a proxy's page", async () => {
  const page = new Response('<h1>Bad Gateway</h1>', {
    status: 502,
    statusText: 'Bad Gateway',
    headers: { 'content-type': 'text/html' },
  });
  const error = await getFailure(clientWith(page).call(users_get));
  expect(error.message).toBe('The server responded with 502 Bad Gateway');
  expect(error).toMatchObject({ status: 502, code: undefined, requestId: undefined, retryAfter: undefined });
});

test('throws on a success status that the operation does not declare', async () => {
  const error = await getFailure(clientWith(json(200, {})).call(userApiTokens_create));
  expect(error.status).toBe(200);
});

test('accepts 201 of a health operation, returns its headers and reports flat errors', async () => {
  const params = { trackingId: 'ONE' };
  const query = healthVersion;
  const body = { properties: { eventType: 'RCA' as const, title: 'Why' } };
  const created = clientWith(json(201, { name: 'ONE' }));
  expect(
    await created.call(HealthEvent_Publish, {
      params,
      query,
      headers: { 'if-none-match': '*', 'if-match': undefined },
      body,
    }),
  ).toEqual({
    name: 'ONE',
  });
  expect(created.only().headers.get('if-none-match')).toBe('*');
  expect(created.only().headers.has('if-match')).toBe(false);
  const refused = clientWith(json(412, { code: 'PreconditionFailed', message: 'It changed.', details: '' }));
  const error = await getFailure(refused.call(HealthEvent_Publish, { params, query, body }));
  expect([error.status, error.code, error.message]).toEqual([412, 'PreconditionFailed', 'It changed.']);
});

/** A response of lines, in chunks that end anywhere in a line or character. */
function lines(...chunks: Uint8Array<ArrayBuffer>[]): Response {
  const start = (controller: ReadableStreamDefaultController) => {
    for (const chunk of chunks) controller.enqueue(chunk);
    controller.close();
  };
  return new Response(new ReadableStream({ start }), { headers: { 'content-type': 'application/x-ndjson' } });
}
const toChunks = (text: string) => {
  const bytes = new TextEncoder().encode(text);
  return Array.from({ length: Math.ceil(bytes.length / 5) }, (_, index) => bytes.slice(index * 5, index * 5 + 5));
};
const file = new Blob(['[]'], { type: 'application/json' });

test('an import reports progress and returns its report', async () => {
  const { call, only } = clientWith(lines(...toChunks('{"progress":{"read":1}}\n{"report":{"id":"→ 7"}}\n')));
  const progress: unknown[] = [];
  const report = await call(HealthEvents_Import, {
    query: healthVersion,
    file,
    onProgress: (far) => progress.push(far),
  });
  expect({ report, progress }).toEqual({ report: { id: '→ 7' }, progress: [{ read: 1 }] });
  expect(only().headers.get('accept')).toContain('application/x-ndjson');
  expect(only().headers.get('content-type')).toBe('application/json');
});

test('throws if an import fails or is interrupted', async () => {
  const failing = clientWith(
    lines(...toChunks('{"progress":{}}\n{"error":{"code":"X","message":"The disk is full."}}\n')),
  );
  const input = { query: healthVersion, file, onProgress: () => undefined };
  expect(await getFailure(failing.call(HealthEvents_Import, input))).toMatchObject({ message: 'The disk is full.' });
  const broken = clientWith(lines(...toChunks('{"progress":{}}\n{"repo')));
  await expect(broken.call(HealthEvents_Import, input)).rejects.toThrow(TypeError);
  const refused = clientWith(json(403, { code: 'Forbidden', message: 'Only operators.' }));
  expect(await getFailure(refused.call(HealthEvents_Import, input))).toMatchObject({
    status: 403,
    message: 'Only operators.',
  });
});

test('exposes the headers of a successful response and can be aborted', async () => {
  const { call } = clientWith(json(200, {}, { etag: '"1.2"' }));
  let etag: string | null = null;
  await call(users_get, { onHeaders: (headers) => (etag = headers.get('etag')) });
  expect(etag).toBe('"1.2"');
  const patient = createClient({
    baseUrl: 'https://mooring.example',
    fetch: async (_, init) => Promise.reject(init?.signal?.reason),
  });
  await expect(patient(users_get, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
});

test('reports the description of an OAuth error', async () => {
  const body = { error: 'invalid_grant', error_description: 'The code has expired.' };
  const error = await getFailure(clientWith(json(400, body)).call(oauth_token, { body: { code: 'x' } }));
  expect([error.message, error.code]).toEqual(['The code has expired.', undefined]);
});

test('sends a form as form data, returns text and a URL as text, and a file as a stream', async () => {
  const token = clientWith(json(200, {}));
  await token.call(oauth_token, { body: { code: 'a b&c' } });
  expect([token.only().body, token.only().headers.get('content-type')]).toEqual([
    'code=a+b%26c',
    'application/x-www-form-urlencoded',
  ]);
  const atom = clientWith(new Response('<feed/>', { headers: { 'content-type': 'application/atom+xml' } }));
  expect(await atom.call(HealthFeeds_ReadAtom, { params: { feed_secret: 's' } })).toBe('<feed/>');
  const sentOn = clientWith(new Response(null, { status: 302, headers: { location: '/sign-in' } }));
  expect(await sentOn.call(oauth_authorize)).toBe('/sign-in');
  const headers = {
    'content-type': 'image/png',
    'content-disposition': `attachment; filename="_"; filename*=UTF-8''%C3%A9`,
  };
  const image = clientWith(new Response('png', { headers: { ...headers, 'content-length': '3' } }));
  const { stream, ...about } = await image.call(avatars_get, { params: { avatar_name: 'a' } });
  expect(about).toEqual({ type: 'image/png', name: 'é', size: 3 });
  expect(await new Response(stream).text()).toBe('png');
});
