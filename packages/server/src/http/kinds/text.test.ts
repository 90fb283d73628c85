import { endpoint, text } from '@mooring/contract';
import { expect, test } from 'vitest';
import { serve } from '../../../test/harness/endpoints.ts';
import { route } from '../mount.ts';

const notes = endpoint({
  id: 'notes',
  method: 'GET',
  path: '/v0.1/notes',
  tag: 'notes',
  summary: 'x',
  access: 'public',
  effect: 'read',
  response: text({ type: 'text/calendar', description: 'Notes.', cache: 'private, max-age=60' }),
});
const changedAt = Date.parse('2026-11-01T09:00:00.500Z');

const opened = async (lastModified: number | undefined = changedAt) => {
  const { http } = await serve(route(notes, async () => ({ text: 'BEGIN', etag: '"v1"', lastModified })));
  return (headers: Record<string, string> = {}) => http.inject({ method: 'GET', url: '/v0.1/notes', headers });
};

test('sends text with its type, version and cache lifetime, and blocks scripts in it', async () => {
  const { statusCode, headers, body } = await (await opened())();
  expect([statusCode, body]).toEqual([200, 'BEGIN']);
  expect(headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, max-age=60',
    etag: '"v1"',
    'last-modified': 'Sun, 01 Nov 2026 09:00:00 GMT',
    'content-security-policy': "default-src 'none'; sandbox",
    'referrer-policy': 'no-referrer',
  });
});

test.each([
  [{ 'if-none-match': '"v1"' }, 304],
  [{ 'if-none-match': '"v0", W/"v1"' }, 304],
  [{ 'if-none-match': '"v0"' }, 200],
  [{ 'if-modified-since': 'Sun, 01 Nov 2026 09:00:00 GMT' }, 304],
  [{ 'if-modified-since': 'Sun, 01 Nov 2026 08:59:59 GMT' }, 200],
  [{ 'if-modified-since': 'nonsense' }, 200],
  [{ 'if-none-match': '"v0"', 'if-modified-since': 'Sun, 01 Nov 2026 09:00:00 GMT' }, 200],
])('answers %o with %i', async (headers, status) => {
  const response = await (await opened())(headers as Record<string, string>);
  expect([response.statusCode, response.body]).toEqual([status, status === 304 ? '' : 'BEGIN']);
});
