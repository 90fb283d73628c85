import { describe, expect, test } from 'vitest';
import type { OutboundRequest } from '../../../outbound/fetch.ts';
import { createApi, TrackerRefusal } from './api.ts';

/** A connection to a tracker with this response. */
function speaking(status: number, body: string, headers: Record<string, string> = {}) {
  const requests: [string, OutboundRequest | undefined][] = [];
  const api = createApi({
    fetch: async (url, request) => {
      requests.push([url, request]);
      return { status, headers, body: Buffer.from(body) };
    },
    baseUrl: 'https://tracker.example.com/api',
    headers: { authorization: 'Bearer s3cr3t' },
    secrets: ['s3cr3t'],
  });
  return { api, requests };
}

const failure = (status: number, body: string, headers?: Record<string, string>): Promise<unknown> =>
  speaking(status, body, headers)
    .api('/items')
    .catch((error: unknown) => error);

describe('the client for a bug tracker', () => {
  test('limits the time and size of responses', async () => {
    const { api, requests } = speaking(200, '{"id":1}');
    expect(await api('/items', { method: 'POST', body: { a: 1 } })).toEqual({ status: 200, value: { id: 1 } });
    const headers = { accept: 'application/json', authorization: 'Bearer s3cr3t', 'content-type': 'application/json' };
    const limits = { timeoutMs: 20_000, maxBytes: 8_388_608 };
    expect(requests).toEqual([
      ['https://tracker.example.com/api/items', { method: 'POST', headers, body: '{"a":1}', ...limits }],
    ]);
  });

  test.each([
    [429, {}],
    [403, { 'retry-after': '60' }],
    [403, { 'x-ratelimit-remaining': '0' }],
    [500, {}],
    [503, {}],
  ])('retries a response %i with %o', async (status, headers) => {
    expect(await failure(status, '{}', headers)).toMatchObject({ name: 'OutboundError', problem: 'unreachable' });
  });

  test.each([
    [401, '{}', true],
    [403, '{}', true],
    // A sign-in page.
    [203, '<html>', true],
    [200, '<html>', false],
    // More values than the server parses.
    [200, `[${'[],'.repeat(30_000)}0]`, false],
    [301, '{}', false],
    [404, '{}', false],
    [422, '{}', false],
  ])('does not retry a response %i with %s', async (status, body, isUnauthorized) => {
    expect(await failure(status, body)).toMatchObject({ name: 'TrackerRefusal', isUnauthorized });
  });

  test('removes secrets from messages', async () => {
    const { message } = (await failure(422, JSON.stringify({ message: `s3cr3t ${'x'.repeat(600)}` }))) as Error;
    expect(message).toMatch(/^tracker\.example\.com responded with 422: … x+$/);
    expect(message.length).toBe(500);
  });

  test('treats a rejection as one of the request, not of the token, unless stated', () => {
    expect(new TrackerRefusal('There is no such project.').isUnauthorized).toBe(false);
  });
});
