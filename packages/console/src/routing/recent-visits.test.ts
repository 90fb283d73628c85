import { expect, test } from 'vitest';
import { clearVisits, recentVisits, recordVisit } from './recent-visits.ts';

/** In-memory replacement for localStorage. */
function storage(): Storage {
  const entries: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, value: string) => {
      entries[key] = value;
    },
    removeItem: (key: string) => {
      delete entries[key];
    },
  };
  return new Proxy(methods as Storage, {
    ownKeys: () => Object.keys(entries),
    getOwnPropertyDescriptor: (_, key) => ({ configurable: true, enumerable: true, value: entries[String(key)] }),
  });
}

const visit = (name: string) => ({ to: `/orgs/${name}`, label: name });

test('lists the last six visits, newest first, without duplicates', () => {
  const store = storage();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'b']) recordVisit('ada', visit(name), store);
  expect(recentVisits('ada', store).map(({ label }) => label)).toEqual(['b', 'g', 'f', 'e', 'd', 'c']);
});

test('keeps visits per user and removes them at sign-out', () => {
  const store = storage();
  store.setItem('mooring-color-scheme', 'dark');
  recordVisit('ada', visit('a'), store);
  expect(recentVisits('grace', store)).toEqual([]);
  clearVisits(store);
  expect([recentVisits('ada', store), store.getItem('mooring-color-scheme')]).toEqual([[], 'dark']);
});

test.each(['{', 'null', '{"a":1}', '[1,null,{"to":"/"}]'])('ignores the stored value %j', (broken) => {
  const store = storage();
  store.setItem('mooring-recent-ada', broken);
  expect(recentVisits('ada', store)).toEqual([]);
});
