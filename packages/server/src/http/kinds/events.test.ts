import { setImmediate } from 'node:timers/promises';
import { createClient, endpoint, events } from '@mooring/contract';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { serve } from '../../../test/harness/endpoints.ts';
import { route } from '../mount.ts';
import { type EventAnswer, eventStream } from './events.ts';

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

test('events arrive in order, and whoever comes again hears what came after the last', async () => {
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
  let isAsked = false;
  const { http } = await serve(
    route(feed, async () => {
      isAsked = true;
      return numbersFrom(1, 1);
    }),
  );
  const { statusCode, body } = await http.inject({ method: 'HEAD', url: '/v0.1/live' });
  expect([statusCode, body, isAsked]).toEqual([200, '', false]);
});

/** A source that gives what it is told to and then waits, and what became of it. */
function quietAfter(count: number) {
  const told = { hasEnded: false };
  const ended = Promise.withResolvers<void>();
  const source = (signal: AbortSignal) =>
    (async function* () {
      try {
        yield* numbersFrom(1, count);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      } finally {
        told.hasEnded = true;
        ended.resolve();
      }
    })();
  return { told, ended: ended.promise, source };
}

test('a reader who leaves ends the source', async () => {
  const { ended, source } = quietAfter(1);
  const { url } = await serve(route(feed, async (_ctx, _input, { signal }) => source(signal())));
  for await (const { data } of await createClient({ baseUrl: url })(feed)) {
    expect(data.n).toBe(1);
    break;
  }
  await ended;
});

test('a server that stops ends every stream', async () => {
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
const streamOf = (
  source: (signal: AbortSignal) => AsyncIterable<EventAnswer>,
  times = {},
  recheck: () => Promise<void> = async () => {},
) => {
  const end = new AbortController();
  const stopping = new AbortController().signal;
  const all = { beat: long, lifetime: long, stalled: long, recheck: long, ...times };
  return eventStream(source(end.signal), { end, stopping, times: all, recheck });
};

test('a stream ends after its lifetime, with its source', async () => {
  const { ended, source } = quietAfter(2);
  const pieces: string[] = [];
  for await (const piece of streamOf(source, { lifetime: 1 })) pieces.push(String(piece));
  await ended;
  expect(pieces.join('')).toContain('data: {"n":2}');
});

test('a stream ends once its reader may no longer read, with its source', async () => {
  const { ended, source } = quietAfter(1);
  let checks = 0;
  const recheck = async () => {
    checks += 1;
    if (checks === 3) throw new Error('no longer');
  };
  for await (const _ of streamOf(source, { recheck: 1 }, recheck));
  await ended;
  expect(checks).toBe(3);
});

test('one reader has so many streams open, and another one when one has ended', async () => {
  const { source } = quietAfter(1);
  const { url } = await serve(route(feed, async (_ctx, _input, { signal }) => source(signal())));
  const call = createClient({ baseUrl: url });
  const leaving = Array.from({ length: 12 }, () => new AbortController());
  // Held until the end: fetch closes the connection of an answer that is collected.
  const held: unknown[] = [];
  for (const { signal } of leaving) held.push(await call(feed, { signal }));
  await expect(call(feed)).rejects.toMatchObject({ status: 429, message: expect.stringContaining('12 streams open') });
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

test('a handler that fails leaves no stream counted', async () => {
  const { http } = await serve(
    route(feed, async () => {
      throw new Error('broken');
    }),
  );
  for (let n = 0; n < 13; n += 1) {
    expect((await http.inject({ method: 'GET', url: '/v0.1/live' })).statusCode).toBe(500);
  }
});

test('where nothing comes, a sign of life does', async () => {
  const { source } = quietAfter(0);
  let signs = 0;
  for await (const piece of streamOf(source, { beat: 1 })) {
    if (String(piece) === ': \n\n') signs += 1;
    if (signs === 3) break;
  }
  expect(signs).toBe(3);
});

/** An endless source, and how far it was read. */
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

test('a reader who is slow makes the source wait, and nothing is heaped up', async () => {
  const { read, source } = endless();
  const stream = streamOf(source);
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

test('a reader who takes nothing is let go, and the source with it', async () => {
  const { read, source } = endless();
  const stream = streamOf(source, { stalled: 1 });
  const closed = new Promise((resolve) => stream.once('close', resolve));
  stream.read(0);
  await closed;
  await expect.poll(() => read.hasEnded).toBe(true);
});

test('what an event carries cannot make another one', async () => {
  const hostile = { event: 'a\ndata: 1', id: '1\r\n\r\nevent: b', data: 'x\n\ndata: 2' };
  async function* source() {
    yield hostile;
  }
  let text = '';
  for await (const piece of streamOf(source)) text += String(piece);
  expect(text).toBe('retry: 1000\n\nid: 1event: b\nevent: adata: 1\ndata: "x\\n\\ndata: 2"\n\n');
});
