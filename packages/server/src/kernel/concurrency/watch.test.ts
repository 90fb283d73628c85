import { expect, test } from 'vitest';
import { watch } from './watch.ts';

/** All events of a watch on these versions; the watch ends after the last one. */
async function collectEvents(versions: Record<string, string | number>[], lastEventId?: string) {
  const end = new AbortController();
  const left = [...versions];
  const read = async () => {
    const next = left.shift() ?? {};
    if (left.length === 0) end.abort();
    return next;
  };
  const heard: unknown[] = [];
  for await (const { event, id, data } of watch(read, { signal: end.signal, lastEventId, everyMs: 1 })) {
    heard.push([event, id, 'topics' in data ? data.topics : undefined]);
  }
  return heard;
}

test('a watch starts with the current state and reports each change once', async () => {
  const [one, two] = [
    { jobs: 1, mails: 'a' },
    { jobs: 2, mails: 'a' },
  ];
  expect(await collectEvents([one, one, two, two, { jobs: 3, mails: 'b' }])).toEqual([
    ['watching', 'jobs=1&mails=a', undefined],
    ['changed', 'jobs=2&mails=a', ['jobs']],
    ['changed', 'jobs=3&mails=b', ['jobs', 'mails']],
  ]);
});

test('a reconnecting reader gets the changes since its last event, or none', async () => {
  expect(await collectEvents([{ jobs: 2 }], 'jobs=1')).toEqual([['changed', 'jobs=2', ['jobs']]]);
  expect(await collectEvents([{ jobs: 2 }], 'jobs=2')).toEqual([]);
});

test('an invalid last event ID only reports that something changed', async () => {
  for (const id of ['', 'nonsense', '%', 'jobs', '__proto__=1', '='.repeat(1000)]) {
    expect(await collectEvents([{ jobs: 'a&b=1' }], id)).toEqual([['changed', 'jobs=a%26b%3D1', ['jobs']]]);
  }
});

test('a watch ends after its time limit, and immediately without one', async () => {
  const heard: string[] = [];
  const signal = new AbortController().signal;
  for await (const { event } of watch(async () => ({ jobs: 1 }), { signal, seconds: 0 })) heard.push(event);
  expect(heard).toEqual(['watching']);
});
