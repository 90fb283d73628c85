import { setImmediate } from 'node:timers/promises';
import { createClient, endpoint, events } from '@mooring/contract';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { serve } from '../../../test/harness/endpoints.ts';
import { route } from '../mount.ts';
import { type EventMessage, eventStream } from './events.ts';

const feed = endpoint({
  id: 'feed',
  method: 'GET',
  path: '/v0.1/live',
  tag: 'live',
  summary: 'x',
  access: 'public',
  effect: 'read',
  headers: Type.Object({ 'last-event-id': Type.Optional(Type.String()) }),
  response: events({ counted: Type.Object({ n: Type.Integer() }) }, { description: 'Numbers.' }),
});

async function* numbersFrom(first: number, last: number) {
  for (let n = first; n <= last; n += 1) yield { event: 'counted' as const, id: String(n), data: { n } };
}

async function heard(stream: AsyncIterable<{ data: { n: number } }>): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { data } of stream) numbers.push(data.n);
  return numbers;
}

test('delivers events in order and resumes after the last event received', async () => {
  const { http, url } = await serve(
    route(feed, async (_ctx, _input, { lastEventId }) => numbersFrom(Number(lastEventId ?? 0) + 1, 5)),
  );
  const raw = await http.inject({ method: 'GET', url: '/v0.1/live' });
  expect(raw.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  expect(raw.body.startsWith('retry: 1000\n\nid: 1\nevent: counted\ndata: {"n":1}\n\n')).toBe(true);
  const call = createClient({ baseUrl: url });
  expect(await heard(await call(feed))).toEqual([1, 2, 3, 4, 5]);
  expect(await heard(await call(feed, { headers: { 'last-event-id': '3' } }))).toEqual([4, 5]);
});

test('HEAD starts no stream', async () => {
  let isCalled = false;
  const { http } = await serve(
    route(feed, async () => {
      isCalled = true;
      return numbersFrom(1, 1);
    }),
  );
  const { statusCode, body } = await http.inject({ method: 'HEAD', url: '/v0.1/live' });
  expect([statusCode, body, isCalled]).toEqual([200, '', false]);
});

/** A source that yields some numbers, then waits until it is aborted; `ended` resolves when it ends. */
function quietAfter(count: number) {
  const ended = Promise.withResolvers<void>();
  const source = (signal: AbortSignal) =>
    (async function* () {
      try {
        yield* numbersFrom(1, count);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      } finally {
        ended.resolve();
      }
    })();
  return { ended: ended.promise, source };
}

test('ends the source when its reader disconnects', async () => {
  const { ended, source } = quietAfter(1);
  const { url } = await serve(route(feed, async (_ctx, _input, { signal }) => source(signal())));
  for await (const { data } of await createClient({ baseUrl: url })(feed)) {
    expect(data.n).toBe(1);
    break;
  }
  await ended;
});

test('ends every stream when the server stops', async () => {
  const { ended, source } = quietAfter(1);
  const { http, url } = await serve(route(feed, async (_ctx, _input, { signal }) => source(signal())));
  const numbers = heard(await createClient({ baseUrl: url })(feed));
  const closed = http.close();
  expect(await numbers).toEqual([1]);
  await ended;
  http.server.closeAllConnections();
  await closed;
});

const long = 3_600_000;
const createStream = (
  source: (signal: AbortSignal) => AsyncIterable<EventMessage>,
  times = {},
  recheck: () => Promise<void> = async () => {},
) => {
  const end = new AbortController();
  const stopping = new AbortController().signal;
  const all = { beat: long, lifetime: long, stalled: long, recheck: long, ...times };
  return eventStream(source(end.signal), { end, stopping, times: all, recheck });
};

test('ends a stream and its source after its lifetime', async () => {
  const { ended, source } = quietAfter(2);
  const chunks: string[] = [];
  for await (const chunk of createStream(source, { lifetime: 1 })) chunks.push(String(chunk));
  await ended;
  expect(chunks.join('')).toContain('data: {"n":2}');
});

test('ends a stream and its source once its reader may no longer read', async () => {
  const { ended, source } = quietAfter(1);
  let checks = 0;
  const recheck = async () => {
    checks += 1;
    if (checks === 3) throw new Error('no longer');
  };
  for await (const _ of createStream(source, { recheck: 1 }, recheck));
  await ended;
  expect(checks).toBe(3);
});

test('limits the streams per reader, until one has ended', async () => {
  const { source } = quietAfter(1);
  const { url } = await serve(route(feed, async (_ctx, _input, { signal }) => source(signal())));
  const call = createClient({ baseUrl: url });
  const leaving = Array.from({ length: 12 }, () => new AbortController());
  // Kept referenced until the end, because fetch closes the connection of a garbage-collected response.
  const held: unknown[] = [];
  for (const { signal } of leaving) held.push(await call(feed, { signal }));
  await expect(call(feed)).rejects.toMatchObject({ status: 429, message: expect.stringContaining('12 open streams') });
  leaving.pop()?.abort();
  const last = new AbortController();
  await expect
    .poll(() =>
      call(feed, { signal: last.signal }).then(
        () => 'open',
        () => 'refused',
      ),
    )
    .toBe('open');
  expect(held).toHaveLength(12);
  for (const one of [...leaving, last]) one.abort();
});

test('does not count a stream whose handler fails', async () => {
  const { http } = await serve(
    route(feed, async () => {
      throw new Error('broken');
    }),
  );
  for (let n = 0; n < 13; n += 1) {
    expect((await http.inject({ method: 'GET', url: '/v0.1/live' })).statusCode).toBe(500);
  }
});

test('sends a heartbeat while there are no events', async () => {
  const { source } = quietAfter(0);
  let signs = 0;
  for await (const chunk of createStream(source, { beat: 1 })) {
    if (String(chunk) === ': \n\n') signs += 1;
    if (signs === 3) break;
  }
  expect(signs).toBe(3);
});

/** An endless source that counts how far it was read. */
function endless() {
  const read = { count: 0, hasEnded: false };
  async function* source() {
    try {
      for (;;) {
        read.count += 1;
        yield { event: 'counted', data: { n: read.count, padding: 'x'.repeat(1000) } };
      }
    } finally {
      read.hasEnded = true;
    }
  }
  return { read, source };
}

test('a slow reader slows down the source, and nothing accumulates', async () => {
  const { read, source } = endless();
  const stream = createStream(source);
  stream.read(0);
  let before = -1;
  while (read.count !== before) {
    before = read.count;
    for (let turns = 0; turns < 20; turns += 1) await setImmediate();
  }
  expect(read.count).toBeGreaterThan(0);
  expect(read.count).toBeLessThan(100);
  stream.destroy();
});

test('disconnects a reader that reads nothing, and ends the source', async () => {
  const { read, source } = endless();
  const stream = createStream(source, { stalled: 1 });
  const closed = new Promise((resolve) => stream.once('close', resolve));
  stream.read(0);
  await closed;
  await expect.poll(() => read.hasEnded).toBe(true);
});

test('event data cannot inject another event', async () => {
  const hostile = { event: 'a\ndata: 1', id: '1\r\n\r\nevent: b', data: 'x\n\ndata: 2' };
  async function* source() {
    yield hostile;
  }
  let text = '';
  for await (const chunk of createStream(source)) text += String(chunk);
  expect(text).toBe('retry: 1000\n\nid: 1event: b\nevent: adata: 1\ndata: "x\\n\\ndata: 2"\n\n');
});
