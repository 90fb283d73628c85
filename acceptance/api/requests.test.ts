import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  type Call,
  createToken,
  createUser,
  expectError,
  getPort,
  password,
  readAnswer,
  send,
  sendRaw,
} from '../harness/http.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let token: string;
let tokenId: string;

const call = (method: string, address: string, options?: Call): Promise<Answer> =>
  send(method, server.httpUrl + address, options);

interface Counts {
  tokens: number;
  users: number;
  changes: number;
}

/** The state that a rejected request must not change. */
async function countEverything(): Promise<Counts> {
  const [tokens, users, audit] = await Promise.all(
    ['/v0.1/api_tokens', '/v0.1/admin/users?limit=200', '/v0.1/admin/audit?limit=200'].map((address) =>
      call('GET', address, { token }),
    ),
  );
  return {
    tokens: tokens?.json<unknown[]>().length ?? -1,
    users: users?.json<{ values: unknown[] }>().values.length ?? -1,
    changes: audit?.json<{ values: unknown[] }>().values.length ?? -1,
  };
}

beforeAll(async () => {
  server = await startServer({ env: { MOORING_RATE_LIMIT: '0' } });
  const made = await createToken(server);
  token = made.api_token;
  tokenId = made.id;
  await createUser(server, token, 'grace');
});

afterEach(async () => {
  expect((await call('GET', '/healthz')).status).toBe(200);
  expect(server.process.exitCode).toBeNull();
});

afterAll(() => server?.stop());

describe('a change without a body is a 411, before any other check', () => {
  const bodies = {
    'no body at all': '\r\n',
    'no body, declared as JSON': 'Content-Type: application/json\r\n\r\n',
    'Content-Length: 0': 'Content-Length: 0\r\n\r\n',
    'Content-Length: 0, declared as JSON': 'Content-Type: application/json\r\nContent-Length: 0\r\n\r\n',
    'Content-Length: 0, declared as text': 'Content-Type: text/plain\r\nContent-Length: 0\r\n\r\n',
    'an empty chunked body': 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'an empty chunked body, declared as JSON':
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  };
  const addresses = [
    ['POST', '/v0.1/api_tokens'],
    ['POST', '/v0.1/sessions'],
    ['PATCH', '/v0.1/user'],
    ['PUT', '/v0.1/user/password'],
    ['POST', '/v0.1/admin/users'],
    ['PATCH', '/v0.1/admin/users/not-a-uuid'],
    ['POST', '/v0.1/apps/nobody/nothing/api_tokens'],
    ['POST', '/v0.1/no/such/address'],
    ['PUT', '/nowhere'],
    ['PATCH', '/v0.1/api_tokens'],
  ];
  const cases = addresses.flatMap(([method, address]) =>
    Object.entries(bodies).map(([kind, rest]) => [method, address, kind, rest] as const),
  );

  test.each(cases)('%s %s with %s', async (method, address, _, rest) => {
    const answer = await sendRaw(
      server,
      `${method} ${address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${rest}`,
    );
    expectError(answer, 'LengthRequired');
  });

  test.each(Object.entries(bodies))('with a valid token and %s creates nothing', async (_, rest) => {
    const before = await countEverything();
    const head = `POST /v0.1/api_tokens HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-API-Token: ${token}\r\n`;
    expectError(await sendRaw(server, head + rest), 'LengthRequired');
    expect(await countEverything()).toEqual(before);
  });
});

describe('a body is accepted', () => {
  const head = (extra: string) =>
    `POST /v0.1/api_tokens HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-API-Token: ${token}\r\nContent-Type: application/json\r\n${extra}\r\n\r\n`;

  test('when it is {}', async () => {
    expect((await call('POST', '/v0.1/api_tokens', { token, body: {} })).status).toBe(201);
    expect((await call('PATCH', '/v0.1/user', { token, body: {} })).status).toBe(200);
  });

  test('when it is chunked', async () => {
    const answer = await sendRaw(server, head('Transfer-Encoding: chunked'), '2\r\n{}\r\n0\r\n\r\n');
    expect(answer.status).toBe(201);
  });

  test('when it is chunked and arrives in parts, after the headers', async () => {
    const socket = connect(getPort(server), '127.0.0.1');
    const answer = readAnswer(socket);
    socket.write(head('Transfer-Encoding: chunked'));
    for (const piece of ['1', '3\r\n', '{"description":"in ', '\r\n8\r\n', 'pieces"}', '\r\n0\r\n\r\n']) {
      await call('GET', '/healthz');
      socket.write(piece);
    }
    expect((await answer).json()).toMatchObject({ description: 'in pieces' });
  });

  test('when its type has a charset', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await call('PATCH', '/v0.1/user', { token, headers, raw: '{}' })).status).toBe(200);
  });

  test('with unknown fields, which are ignored', async () => {
    const answer = await call('POST', '/v0.1/api_tokens', { token, body: { description: 'x', color: 'red' } });
    expect(answer.status).toBe(201);
    expect(answer.json()).not.toHaveProperty('color');
  });
});

describe('requests that need no body are accepted', () => {
  test.each(['Content-Type: application/json', 'Content-Type: application/json\r\nContent-Length: 0'])(
    'with %j on GET and DELETE',
    async (header) => {
      const { id } = await createToken(server);
      const request = (line: string) =>
        sendRaw(
          server,
          `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-API-Token: ${token}\r\n${header}\r\n\r\n`,
        );
      expect((await request('GET /v0.1/user')).status).toBe(200);
      expect((await request(`DELETE /v0.1/api_tokens/${id}`)).status).toBe(204);
      expectError(await request(`DELETE /v0.1/api_tokens/${id}`), 'NotFound');
    },
  );
});

/** Sends an invalid request, and checks that nothing was written. */
async function expectRefused(code: Parameters<typeof expectError>[1], request: () => Promise<Answer>): Promise<string> {
  const before = await countEverything();
  const answer = await request();
  expectError(answer, code);
  expect(await countEverything()).toEqual(before);
  return answer.json<{ error: { message: string } }>().error.message;
}

describe('an unreadable body is a bad request, and nothing is written', () => {
  const deep = (inner: string) => `{"description":${'['.repeat(100_000)}${inner}${']'.repeat(100_000)}}`;

  test.each([
    ['only an opening brace', '{'],
    ['plain text', 'hello'],
    ['a truncated object', '{"description":"x"'],
    ['two objects', '{} {}'],
    ['single quotes', "{'description':'x'}"],
    ['a raw NUL byte', '{"description":"a\0b"}'],
    ['a NUL character', '{"description":"a\\u0000b"}'],
    ['a NUL character in an unknown field', '{"other":{"deep":["a\\u0000b"]}}'],
    ['a NUL character in a name', '{"a\\u0000b":1}'],
    ['__proto__', '{"__proto__":{"scope":["all"]}}'],
    ['__proto__ further down', '{"other":{"__proto__":{"x":1}}}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"x":1}}}'],
    ['an array instead of an object', '[]'],
    ['a string instead of an object', '"{}"'],
    ['a number instead of an object', '5'],
    ['null instead of an object', 'null'],
    ['very deep nesting', deep('1')],
    ['very deep nesting around a NUL character', deep('"\\u0000"')],
  ])('%s', async (_, raw) => {
    const headers = { 'content-type': 'application/json' };
    const message = await expectRefused('BadRequest', () => call('POST', '/v0.1/api_tokens', { token, headers, raw }));
    expect(message.length).toBeLessThan(300);
  });
});

describe('an invalid value is named, and nothing is written', () => {
  const grace = { name: 'somebody', email: 'somebody@example.com', password };

  test.each([
    ['POST', '/v0.1/api_tokens', { description: 5 }, 'description'],
    ['POST', '/v0.1/api_tokens', { description: null }, 'description'],
    ['POST', '/v0.1/api_tokens', { description: 'x'.repeat(201) }, 'description'],
    ['POST', '/v0.1/api_tokens', { scope: 'all' }, 'scope'],
    ['POST', '/v0.1/api_tokens', { scope: [] }, 'scope'],
    ['POST', '/v0.1/api_tokens', { scope: ['owner'] }, 'all, viewer'],
    ['POST', '/v0.1/api_tokens', { scope: ['viewer', 'owner'] }, 'all, viewer'],
    ['POST', '/v0.1/api_tokens', { scope: [['all']] }, 'scope'],
    ['POST', '/v0.1/admin/users', { ...grace, name: 'n'.repeat(101) }, 'name'],
    ['POST', '/v0.1/admin/users', { ...grace, name: '' }, 'name'],
    ['POST', '/v0.1/admin/users', { ...grace, name: 'two words' }, 'name'],
    ['POST', '/v0.1/admin/users', { ...grace, name: 'slash/ed' }, 'name'],
    ['POST', '/v0.1/admin/users', { ...grace, name: 'new\nline' }, 'name'],
    ['POST', '/v0.1/admin/users', { ...grace, email: 'somebody' }, 'email'],
    ['POST', '/v0.1/admin/users', { ...grace, email: `${'e'.repeat(250)}@example.com` }, 'email'],
    ['POST', '/v0.1/admin/users', { ...grace, email: undefined }, 'email is missing'],
    ['POST', '/v0.1/admin/users', { ...grace, password: 'short' }, 'password'],
    ['POST', '/v0.1/admin/users', { ...grace, password: 'p'.repeat(257) }, 'password'],
    ['POST', '/v0.1/admin/users', { ...grace, password: 'aaaaaaaaaaaaaa' }, 'password'],
    ['POST', '/v0.1/admin/users', { ...grace, password: 'somebody@example.com' }, 'password'],
    ['POST', '/v0.1/admin/users', { ...grace, password: undefined }, 'password is missing'],
    ['POST', '/v0.1/admin/users', { ...grace, is_admin: 'true' }, 'is_admin'],
    ['POST', '/v0.1/admin/users', { ...grace, display_name: 'd'.repeat(129) }, 'display_name'],
    ['PATCH', '/v0.1/user', { display_name: '   ' }, 'display_name'],
    ['PATCH', '/v0.1/user', { display_name: 'd'.repeat(129) }, 'display_name'],
    ['PATCH', '/v0.1/user', { avatar_url: 'javascript:alert(1)' }, 'avatar_url'],
    ['PATCH', '/v0.1/user', { avatar_url: 'http://example.com/a.png' }, 'avatar_url'],
    ['PATCH', '/v0.1/user', { avatar_url: `https://example.com/${'a'.repeat(2048)}` }, 'avatar_url'],
    ['PUT', '/v0.1/user/password', { current_password: 'x', new_password: 'short' }, 'new_password'],
    ['PATCH', '/v0.1/admin/users/not-a-uuid', { is_admin: true }, 'user_id'],
    ['GET', '/v0.1/admin/users?limit=0', undefined, 'limit'],
    ['GET', '/v0.1/admin/users?limit=201', undefined, 'limit'],
    ['GET', '/v0.1/admin/users?limit=ten', undefined, 'limit'],
    ['GET', '/v0.1/admin/users?limit=1&limit=2', undefined, 'limit'],
    ['GET', '/v0.1/admin/users?cursor=nonsense', undefined, 'cursor'],
    ['GET', `/v0.1/admin/users?cursor=${'c'.repeat(513)}`, undefined, 'cursor'],
    ['DELETE', `/v0.1/api_tokens/${'i'.repeat(65)}`, undefined, 'api_token_id'],
  ])('%s %s %j', async (method, address, body, named) => {
    const message = await expectRefused('BadRequest', () => call(method, address, { token, body }));
    expect(message).toContain(named);
  });

  test('an error about a value with several forms describes the valid ones, without mentioning schemas', async () => {
    const message = await expectRefused('BadRequest', () =>
      call('PATCH', '/v0.1/user', { token, body: { avatar_url: 'x' } }),
    );
    expect(message).not.toMatch(/schema|anyOf/);
  });
});

describe('a taken name or email is a conflict, in any letter case, and nothing is written', () => {
  test.each([
    { name: 'grace', email: 'other@example.com' },
    { name: 'GRACE', email: 'other@example.com' },
    { name: 'other', email: 'grace@example.com' },
    { name: 'other', email: 'Grace@Example.com' },
  ])('%j', async (person) => {
    await expectRefused('Conflict', () => call('POST', '/v0.1/admin/users', { token, body: { ...person, password } }));
  });

  test('concurrent requests for the same name: exactly one succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        call('POST', '/v0.1/admin/users', {
          token,
          body: { name: 'racer', email: `racer${at}@example.com`, password },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

describe('an invalid URL', () => {
  test.each(['/v0.1/api_tokens/%00', '/v0.1/user?x=%00', '/v0.1/apps/a%00b/c/api_tokens', '/%00'])(
    'with a NUL character, %s, is a bad request',
    async (address) => {
      expectError(await call('GET', address, { token }), 'BadRequest');
      expectError(await call('DELETE', address, { token }), 'BadRequest');
    },
  );

  test.each(['/v0.1/api_tokens/%zz', '/v0.1/apps/%E0%A4%A/x/api_tokens', '/%', '/v0.1/api_tokens/%C0%80'])(
    'with a broken escape, %s, is a bad request',
    async (address) => {
      expectError(await call('DELETE', address, { token }), 'BadRequest');
    },
  );

  test('with a part that is longer than any name is a bad request', async () => {
    const answer = await call('GET', `/v0.1/apps/ada/${'a'.repeat(3073)}`, { token });
    expectError(answer, 'BadRequest');
    expect(answer.text).toContain('3072 characters');
    const health = await call('GET', `/subscriptions/${'a'.repeat(3073)}?api-version=2024-02-01`, { token });
    expect([health.status, health.json().code]).toEqual([400, 'BadRequest']);
  });

  test.each([
    '/v0.1/nope',
    '/v0.1',
    '/v0.1/',
    '/nowhere',
    '/v0.1/user/',
    '/v0.1//user',
    '/V0.1/user',
    `/v0.1/api_tokens/x/${'y'.repeat(600)}`,
    '/v0.1/../../etc/passwd',
    '/docs/..%2f..%2fpackage.json',
    '/assets/..%2f..%2fpackage.json',
  ])('%s is not found, in JSON, with or without a credential', async (address) => {
    expectError(
      await sendRaw(server, `GET ${address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
      'NotFound',
    );
    expectError(await call('GET', address, { token }), 'NotFound');
  });

  test.each(['/docs', '/docs/page.css'])('%s is sent whole or rejected, for any request', async (address) => {
    const plain = await call('GET', address);
    expect(await call('GET', address, { headers: { range: 'bytes=9999999-' } })).toMatchObject({
      status: 200,
      text: plain.text,
    });
    expectError(await call('GET', address, { headers: { 'if-match': '"another"' } }), 'PreconditionFailed');
  });

  test('under /v0.1 is JSON even for a browser', async () => {
    expectError(await call('GET', '/v0.1/nope', { headers: { accept: 'text/html' } }), 'NotFound');
  });

  test.each([
    ['PUT', '/v0.1/api_tokens', 'GET, POST'],
    ['DELETE', '/v0.1/user', 'GET, PATCH'],
    ['POST', '/v0.1/user', 'GET, PATCH'],
    ['GET', '/v0.1/user/password', 'PUT'],
    ['GET', '/v0.1/apps/a/b/api_tokens/c', 'DELETE'],
    ['OPTIONS', '/v0.1/sessions', 'GET, POST'],
    ['DELETE', '/v0.1/api_tokens?id=1', 'GET, POST'],
  ])('with the wrong method, %s %s, is a 405 and allows %s', async (method, address, allowed) => {
    const answer = await call(method, address, { token, ...(method.startsWith('P') ? { body: {} } : {}) });
    expectError(answer, 'MethodNotAllowed');
    expect(answer.headers.allow?.split(', ').sort().join(', ')).toBe(allowed);
  });
});

describe('a body of the wrong type or size', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
  ])('of type %s is a 415', async (type) => {
    await expectRefused('UnsupportedMediaType', () =>
      call('POST', '/v0.1/api_tokens', { token, headers: { 'content-type': type }, raw: '{}' }),
    );
  });

  test('without a type is a 415', async () => {
    await expectRefused('UnsupportedMediaType', () => call('POST', '/v0.1/api_tokens', { token, raw: '{}' }));
  });

  const big = JSON.stringify({ description: 'x'.repeat(1_048_577) });

  test('with a too large Content-Length is a 413 before it is sent', async () => {
    const head = `POST /v0.1/api_tokens HTTP/1.1\r\nHost: localhost\r\nX-API-Token: ${token}\r\nContent-Type: application/json\r\nContent-Length: 9999999999\r\n\r\n`;
    await expectRefused('PayloadTooLarge', () => sendRaw(server, head, '{'));
  });

  test('that is too large is a 413 when it is sent immediately', async () => {
    const headers = { 'content-type': 'application/json' };
    await expectRefused('PayloadTooLarge', () => call('POST', '/v0.1/api_tokens', { token, headers, raw: big }));
  });

  test('that turns out to be too large is a 413', async () => {
    const head = `POST /v0.1/api_tokens HTTP/1.1\r\nHost: localhost\r\nX-API-Token: ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `${big.length.toString(16)}\r\n${big}\r\n`;
    await expectRefused('PayloadTooLarge', () => sendRaw(server, head, chunk));
  });

  test('just below the limit is accepted', async () => {
    const raw = JSON.stringify({ description: 'x'.repeat(1_048_000) });
    const headers = { 'content-type': 'application/json' };
    const message = await expectRefused('BadRequest', () => call('POST', '/v0.1/api_tokens', { token, headers, raw }));
    expect(message).toContain('description');
  });
});

describe('malformed HTTP', () => {
  const request = (...lines: string[]) => sendRaw(server, `${lines.join('\r\n')}\r\n\r\n`);

  test.each([
    ['text that is not HTTP', ['hello']],
    ['an unknown method', ['BREW /v0.1/user HTTP/1.1', 'Host: localhost']],
    ['a header without a name', ['GET /v0.1/user HTTP/1.1', 'Host: localhost', ': x']],
    ['a NUL byte in a header', ['GET /v0.1/user HTTP/1.1', 'Host: localhost', 'X-API-Token: a\0b']],
    [
      'two Content-Length headers',
      ['POST /v0.1/user HTTP/1.1', 'Host: localhost', 'Content-Length: 2', 'Content-Length: 3'],
    ],
    [
      'both Content-Length and chunks',
      ['POST /v0.1/user HTTP/1.1', 'Host: localhost', 'Content-Length: 2', 'Transfer-Encoding: chunked'],
    ],
    ['a Content-Length that is not a number', ['POST /v0.1/user HTTP/1.1', 'Host: localhost', 'Content-Length: many']],
    ['a negative Content-Length', ['POST /v0.1/user HTTP/1.1', 'Host: localhost', 'Content-Length: -1']],
    ['no Host header', ['GET /v0.1/user HTTP/1.1', 'Connection: close']],
    ['two Host headers', ['GET /v0.1/user HTTP/1.1', 'Host: localhost', 'host: evil.example', 'Connection: close']],
  ])('%s is a bad request', async (_, lines) => {
    expectError(await request(...lines), 'BadRequest');
  });

  test('a proxy that checks readiness with HTTP/1.0, without a Host header, gets a response', async () => {
    expect((await request('GET /readyz HTTP/1.0')).status).toBe(200);
  });

  test.each([
    ['garbage', 'GARBAGE\r\n\r\n'],
    ['bytes', '\0\x01\x02\r\n\r\n'],
    ['headers beyond the limit', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('a change that is followed by %s on its connection keeps its response', async (_, rest) => {
    const body = '{"description":"followed"}';
    const head = `POST /v0.1/api_tokens HTTP/1.1\r\nHost: localhost\r\nX-API-Token: ${token}\r\nContent-Type: application/json\r\n`;
    const answer = await sendRaw(server, `${head}Content-Length: ${body.length}\r\n\r\n${body}${rest}`);
    expect([answer.status, answer.headers.connection]).toEqual([201, 'close']);
    expect(answer.json()).toMatchObject({ description: 'followed', api_token: expect.any(String) });
  });

  test('a body in broken chunks is rejected, although its request was being processed', async () => {
    const head = `POST /v0.1/api_tokens HTTP/1.1\r\nHost: localhost\r\nX-API-Token: ${token}\r\nContent-Type: application/json\r\n`;
    const answer = await sendRaw(server, `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\nZZZ\r\n`);
    expectError(answer, 'BadRequest');
  });

  test('an unknown expectation is ignored', async () => {
    const head = 'POST /v0.1/api_tokens HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n';
    expectError(await sendRaw(server, `${head}Expect: 200-maybe\r\nConnection: close\r\n\r\n{}`), 'Unauthorized');
  });

  test('headers beyond the limit are a 431', async () => {
    expectError(
      await request('GET /v0.1/user HTTP/1.1', 'Host: localhost', `X-Long: ${'x'.repeat(20_000)}`),
      'HeadersTooLarge',
    );
    expectError(await request(`GET /v0.1/${'x'.repeat(20_000)} HTTP/1.1`, 'Host: localhost'), 'HeadersTooLarge');
  });

  test('headers just below the limit are accepted', async () => {
    const answer = await call('GET', '/v0.1/user', { token, headers: { 'x-long': 'x'.repeat(15_000) } });
    expect(answer.status).toBe(200);
  });

  test('a stream of 10 MB of headers is a 431', async () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => `X-Stream-${at}: ${'x'.repeat(1000)}\r\n`);
    expectError(
      await sendRaw(server, 'GET /v0.1/user HTTP/1.1\r\nHost: localhost\r\n', ...lines),
      'HeadersTooLarge',
      'unaddressed',
    );
  });

  test('a connection that breaks in the middle of a body writes nothing', async () => {
    const before = await countEverything();
    const socket = connect(getPort(server), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST /v0.1/api_tokens HTTP/1.1\r\nHost: localhost\r\nX-API-Token: ${token}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"description":"half`,
    );
    await call('GET', '/healthz');
    socket.destroy();
    await call('GET', '/healthz');
    expect(await countEverything()).toEqual(before);
  });
});

describe('the request ID', () => {
  test.each(['abc', 'A-b_c.9', 'x'.repeat(64)])('chosen by the caller, %s, is returned', async (id) => {
    const headers = { 'x-request-id': id };
    expect((await call('GET', '/v0.1/user', { token, headers })).headers['x-request-id']).toBe(id);
    expect((await call('GET', '/v0.1/user', { headers })).headers['x-request-id']).toBe(id);
    expect((await call('GET', '/v0.1/nope', { headers })).headers['x-request-id']).toBe(id);
  });

  test.each(['', 'two words', '<script>', 'x'.repeat(65), 'é', 'a,b'])(
    'that is invalid, %j, is replaced',
    async (id) => {
      const answer = await call('GET', '/v0.1/user', { token, headers: { 'x-request-id': id } });
      expect(answer.status).toBe(200);
      expect(answer.headers['x-request-id']).toMatch(/^[\w.-]{1,64}$/);
      expect(answer.headers['x-request-id']).not.toBe(id);
    },
  );

  test('is different for each request', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('GET', '/v0.1/server')));
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(20);
  });
});

test('after all these requests, the first token still works and is listed', async () => {
  const listed = (await call('GET', '/v0.1/api_tokens', { token })).json<{ id: string }[]>();
  expect(listed.map(({ id }) => id)).toContain(tokenId);
});

describe('a request that arrives too slowly', () => {
  let slow: RunningServer;
  let slowToken: string;
  beforeAll(async () => {
    slow = await startServer({ env: { MOORING_REQUEST_TIMEOUT: '1' } });
    slowToken = (await createToken(slow)).api_token;
  });
  afterAll(() => slow?.stop());

  const head = (line: string, ...lines: string[]) => [`${line} HTTP/1.1`, 'Host: localhost', ...lines, ''].join('\r\n');

  test('is a 408 regardless of where it stops, while others are served', { timeout: 20_000 }, async () => {
    const listed = async () =>
      (await send('GET', `${slow.httpUrl}/v0.1/api_tokens`, { token: slowToken })).json<unknown[]>().length;
    const before = await listed();
    const authorized = ['Content-Type: application/json', `X-API-Token: ${slowToken}`];
    const stopped = [
      sendRaw(slow, head('GET /v0.1/user')),
      sendRaw(slow, head('POST /v0.1/api_tokens', ...authorized, 'Content-Length: 20', ''), '{'),
      sendRaw(slow, head('POST /v0.1/api_tokens', ...authorized, 'Content-Length: 20', '')),
      sendRaw(slow, head('POST /v0.1/api_tokens', ...authorized, 'Transfer-Encoding: chunked', '')),
      sendRaw(slow, head('POST /v0.1/api_tokens', ...authorized, 'Transfer-Encoding: chunked', ''), '1\r\n{\r\n'),
    ];
    expect((await send('GET', `${slow.httpUrl}/healthz`)).status).toBe(200);
    for (const answer of await Promise.all(stopped)) expectError(answer, 'RequestTimeout', 'unaddressed');
    expect(await listed()).toBe(before);
  });
});
