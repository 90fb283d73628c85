import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { endpoint, json } from '@mooring/contract';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { serve } from '../../../test/harness/endpoints.ts';
import { route } from '../mount.ts';

const echo = endpoint({
  id: 'echo',
  method: 'POST',
  path: '/v0.1/echo',
  tag: 'echo',
  summary: 'x',
  access: 'public',
  effect: 'change',
  request: json(Type.Object({})),
  response: json(Type.Object({}), { description: 'Done.' }),
});
const nothing = endpoint({ ...echo, id: 'nothing', method: 'DELETE', path: '/v0.1/nothing', request: undefined });

const opened = () =>
  serve(
    route(echo, async () => ({})),
    route(nothing, async () => ({})),
  );

async function send(payload: string | undefined, headers: Record<string, string> = {}, url = '/v0.1/echo') {
  const { http } = await opened();
  const type = { 'content-type': 'application/json' };
  const response = await http.inject({ method: 'POST', url, payload, headers: { ...type, ...headers } });
  return [response.statusCode, response.json().error?.message];
}

test.each([
  ['no body', undefined, 411, /Send \{\}/],
  ['an empty body', '', 411, /Send \{\}/],
  ['no JSON', '{', 400, /not valid JSON/],
  ['a NUL character', '{"a":["\\u0000"]}', 400, /must not contain a NUL character/],
  ['a NUL character in a name', '{"a\\u0000":1}', 400, /must not contain a NUL character/],
  ['a body that is too deep', `${'['.repeat(65)}${']'.repeat(65)}`, 400, /nested more than 64 levels deep/],
  ['a body of very many values', `[${'[],'.repeat(25_001)}0]`, 400, /has more than 50000 values/],
  [
    'an object of very many fields',
    `{${Array.from({ length: 5001 }, (_, n) => `"k${n}":0`)}}`,
    400,
    /has an object with more than 5000 fields/,
  ],
  ['a prototype', '{"__proto__":{}}', 400, /not valid JSON/],
  ['a constructor', '{"constructor":{"prototype":{}}}', 400, /not valid JSON/],
  ['more than the server takes', `{"a":"${'x'.repeat(1_048_576)}"}`, 413, /exceeds the limit of 1048576 bytes/],
])('refuses %s', async (_what, payload, status, message) => {
  expect(await send(payload)).toEqual([status, expect.stringMatching(message)]);
});

test('accepts an escaped backslash before u0000', async () => {
  expect(await send('{"a":"\\\\u0000"}')).toEqual([200, undefined]);
});

test('refuses other types than JSON, and a NUL character in the URL', async () => {
  expect(await send('<a/>', { 'content-type': 'text/xml' })).toEqual([
    415,
    'The body must be JSON, sent with Content-Type: application/json.',
  ]);
  expect(await send('{}', {}, '/v0.1/echo?a=%00')).toEqual([400, 'The URL must not contain a NUL character.']);
});

test.each([
  ['2\r\n{}\r\n0\r\n\r\n', 'HTTP/1.1 200'],
  ['0\r\n\r\n', 'HTTP/1.1 411'],
])('waits for the first chunk of a chunked body: %j', async (chunks, status) => {
  const { url } = await opened();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const head = 'host: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close';
  socket.write(`POST /v0.1/echo HTTP/1.1\r\n${head}\r\n\r\n${chunks}`);
  expect((await text(socket)).slice(0, 12)).toBe(status);
});

test('accepts any declared type without a body if the endpoint takes none', async () => {
  const { http } = await opened();
  const response = await http.inject({
    method: 'DELETE',
    url: '/v0.1/nothing',
    headers: { 'content-type': 'application/json' },
  });
  expect(response.statusCode).toBe(200);
});
