import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appApiTokens_delete, userApiTokens_create, userApiTokens_delete } from './api-tokens.contract.ts';
import { apps_updateAvatar } from './apps.contract.ts';
import { ApiError, createClient } from './client.ts';
import { Event_Publish, Events_Import } from './health-events.contract.ts';
import { adminUsers_list, users_get, users_update } from './users.contract.ts';

interface Sent {
  url: string;
  method: string | undefined;
  headers: Headers;
  body: unknown;
}

/** A client whose network answers with one fixed response, and what it was asked. */
function clientWith(answer: Response, options: { token?: string; baseUrl?: string } = {}) {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    sent.push({ url: String(url), method: init?.method, headers: new Headers(init?.headers), body: init?.body });
    return answer.clone();
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

/** The error that a call ends with. */
async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return error;
}

test('a call sends method, address and token, and returns the body', async () => {
  const { call, only } = clientWith(json(200, { name: 'ada' }), { token: 'moor_u_x' });
  expect(await call(users_get)).toEqual({ name: 'ada' });
  expect(only()).toMatchObject({ method: 'GET', url: 'https://mooring.example/v0.1/user', body: undefined });
  expect(only().headers.get('x-api-token')).toBe('moor_u_x');
  expect(only().headers.get('content-type')).toBeNull();
});

test('without a token no token header is sent, and an empty base address stays relative', async () => {
  const { call, only } = clientWith(json(200, {}), { baseUrl: '' });
  await call(users_get);
  expect(only().url).toBe('/v0.1/user');
  expect(only().headers.has('x-api-token')).toBe(false);
});

test('a body is sent as JSON, and {} when it is left out, because an empty one is refused', async () => {
  const given = clientWith(json(200, {}));
  await given.call(users_update, { body: { display_name: 'Ada', avatar_url: null } });
  expect(given.only()).toMatchObject({ method: 'PATCH', body: '{"display_name":"Ada","avatar_url":null}' });
  expect(given.only().headers.get('content-type')).toBe('application/json');

  const leftOut = clientWith(json(201, {}));
  await leftOut.call(userApiTokens_create);
  expect(leftOut.only().body).toBe('{}');
});

test('a file is sent as a form, whose type is left to whoever sends it', async () => {
  const { call, only } = clientWith(json(200, {}));
  const file = new File(['bytes'], 'icon.png', { type: 'image/png' });
  await call(apps_updateAvatar, { params: { owner_name: 'ada', app_name: 'compass' }, file });
  expect(only()).toMatchObject({ method: 'POST', url: 'https://mooring.example/v0.1/apps/ada/compass/avatar' });
  expect(only().headers.has('content-type')).toBe(false);
  const sent = only().body as FormData;
  expect([...sent.keys()]).toEqual(['avatar']);
  expect(sent.get('avatar')).toMatchObject({ name: 'icon.png', type: 'image/png', size: 5 });
});

/** An answer in lines, which arrives in pieces of so many bytes. */
function lines(text: string, size: number): Response {
  const bytes = new TextEncoder().encode(text);
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => at * size);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const start = starts.shift();
      if (start === undefined) controller.close();
      else controller.enqueue(bytes.slice(start, start + size));
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson', 'x-request-id': 'k3v9x-1f' } });
}

const importing = { query: { 'api-version': '2024-02-01' }, file: new Blob(['[]'], { type: 'application/json' }) };

test.each([1, 7, 1000])('who asks for it is told how far the work is, in pieces of %i bytes', async (size) => {
  const text = '{"progress":{"read":1}}\n{"progress":{"read":2}}\n{"report":{"id":"é"}}\n';
  const { call, only } = clientWith(lines(text, size));
  const told: unknown[] = [];
  const report = await call(Events_Import, { ...importing, onProgress: (progress) => told.push(progress) });
  expect([told, report]).toEqual([[{ read: 1 }, { read: 2 }], { id: 'é' }]);
  expect(only().headers.get('accept')).toBe('application/x-ndjson');
});

test('work that fails in the middle, is refused at once, or breaks off, throws', async () => {
  const onProgress = () => {};
  const failed = clientWith(lines('{"progress":{}}\n{"error":{"code":"Conflict","message":"No."}}\n', 5));
  expect(await failureOf(failed.call(Events_Import, { ...importing, onProgress }))).toMatchObject({
    status: 500,
    message: 'No.',
    requestId: 'k3v9x-1f',
  });
  const refused = clientWith(json(400, { code: 'BadRequest', message: 'No events.' }));
  expect(await failureOf(refused.call(Events_Import, { ...importing, onProgress }))).toMatchObject({ status: 400 });
  const broken = clientWith(lines('{"progress":{}}\n{"rep', 5));
  await expect(broken.call(Events_Import, { ...importing, onProgress })).rejects.toThrow('broke off');
});

test('whatever stands in a path parameter stays one segment and arrives unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.string({ minLength: 1, unit: 'grapheme' }),
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

test.each(['', '.', '..'])('a path parameter %j is refused, because it would make another path', async (app_name) => {
  const { call } = clientWith(noContent());
  const params = { owner_name: 'ada', app_name, api_token_id: '1' };
  await expect(call(appApiTokens_delete, { params })).rejects.toThrow(`app_name cannot be "${app_name}"`);
});

test('a query is encoded, and what is undefined is left out', async () => {
  const full = clientWith(json(200, { values: [] }));
  await full.call(adminUsers_list, { query: { limit: 5, cursor: 'a b&c=d/é' } });
  const url = new URL(full.only().url);
  expect(url.pathname).toBe('/v0.1/admin/users');
  expect(Object.fromEntries(url.searchParams)).toEqual({ limit: '5', cursor: 'a b&c=d/é' });

  const empty = clientWith(json(200, { values: [] }));
  await empty.call(adminUsers_list, { query: { limit: undefined } });
  expect(empty.only().url).toBe('https://mooring.example/v0.1/admin/users');
});

test('an answer without a body returns nothing', async () => {
  const { call } = clientWith(noContent());
  expect(await call(userApiTokens_delete, { params: { api_token_id: 'x' } })).toBeUndefined();
});

test('an error answer throws its status, code, message, request id and waiting time', async () => {
  const body = { error: { code: 'TooManyRequests', message: 'Wait.' } };
  const { call } = clientWith(json(429, body, { 'x-request-id': 'k3v9x-1f', 'retry-after': '17' }));
  const error = await failureOf(call(users_get));
  expect(error.message).toBe('Wait.');
  expect(error).toMatchObject({
    name: 'ApiError',
    status: 429,
    code: 'TooManyRequests',
    requestId: 'k3v9x-1f',
    retryAfter: 17,
  });
});

test('an error that is not ours, such as a page of a proxy, still throws with its status', async () => {
  const page = new Response('<h1>Bad Gateway</h1>', {
    status: 502,
    statusText: 'Bad Gateway',
    headers: { 'content-type': 'text/html' },
  });
  const error = await failureOf(clientWith(page).call(users_get));
  expect(error.message).toBe('The server answered 502 Bad Gateway');
  expect(error).toMatchObject({ status: 502, code: undefined, requestId: undefined, retryAfter: undefined });
});

test('a success status that the operation does not promise is an error too', async () => {
  const error = await failureOf(clientWith(json(200, {})).call(userApiTokens_create));
  expect(error.status).toBe(200);
});

test('an operation of the health API may answer 201, is sent its headers, and tells its flat errors', async () => {
  const params = { trackingId: 'ONE' };
  const query = { 'api-version': '2024-02-01' };
  const body = { properties: { eventType: 'RCA' as const, title: 'Why' } };
  const created = clientWith(json(201, { name: 'ONE' }));
  expect(await created.call(Event_Publish, { params, query, headers: { 'if-none-match': '*' }, body })).toEqual({
    name: 'ONE',
  });
  expect(created.only().headers.get('if-none-match')).toBe('*');
  const refused = clientWith(json(412, { code: 'PreconditionFailed', message: 'It changed.', details: '' }));
  const error = await failureOf(refused.call(Event_Publish, { params, query, body }));
  expect([error.status, error.code, error.message]).toEqual([412, 'PreconditionFailed', 'It changed.']);
});
