import { expect, test } from 'vitest';
import { watch } from './watch.ts';

/** What a watch tells of these versions, one after the other; it ends with them. */
async function told(versions: Record<string, string | number>[], lastEventId?: string) {
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

test('a watch begins with where things are, and tells each change once', async () => {
  const [one, two] = [
    { jobs: 1, mails: 'a' },
    { jobs: 2, mails: 'a' },
  ];
  expect(await told([one, one, two, two, { jobs: 3, mails: 'b' }])).toEqual([
    ['watching', 'jobs=1&mails=a', undefined],
    ['changed', 'jobs=2&mails=a', ['jobs']],
    ['changed', 'jobs=3&mails=b', ['jobs', 'mails']],
  ]);
});

test('whoever comes again hears what changed in between, and nothing if nothing did', async () => {
  expect(await told([{ jobs: 2 }], 'jobs=1')).toEqual([['changed', 'jobs=2', ['jobs']]]);
  expect(await told([{ jobs: 2 }], 'jobs=2')).toEqual([]);
});

test('whatever a reader says that it heard, it hears no more than that something changed', async () => {
  for (const id of ['', 'nonsense', '%', 'jobs', '__proto__=1', '='.repeat(1000)]) {
    expect(await told([{ jobs: 'a&b=1' }], id)).toEqual([['changed', 'jobs=a%26b%3D1', ['jobs']]]);
  }
});

test('a watch ends by itself after its time, and at once without any', async () => {
  const heard: string[] = [];
  const signal = new AbortController().signal;
  for await (const { event } of watch(async () => ({ jobs: 1 }), { signal, seconds: 0 })) heard.push(event);
  expect(heard).toEqual(['watching']);
});
