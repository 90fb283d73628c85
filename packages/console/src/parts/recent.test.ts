import { expect, test } from 'vitest';
import { forgetVisits, noteVisit, recentVisits } from './recent.ts';

/** As a browser keeps it. */
function storage(): Storage {
  const kept: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => {
      kept[key] = value;
    },
    removeItem: (key: string) => {
      delete kept[key];
    },
  };
  return new Proxy(methods as Storage, {
    ownKeys: () => Object.keys(kept),
    getOwnPropertyDescriptor: (_, key) => ({ configurable: true, enumerable: true, value: kept[String(key)] }),
  });
}

const visit = (name: string) => ({ to: `/orgs/${name}`, label: name });

test('the last visits come first, each once, and no more than six', () => {
  const kept = storage();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'b']) noteVisit('ada', visit(name), kept);
  expect(recentVisits('ada', kept).map(({ label }) => label)).toEqual(['b', 'g', 'f', 'e', 'd', 'c']);
});

test('nobody sees the visits of another person, and signing out forgets them', () => {
  const kept = storage();
  kept.setItem('mooring-color-scheme', 'dark');
  noteVisit('ada', visit('a'), kept);
  expect(recentVisits('grace', kept)).toEqual([]);
  forgetVisits(kept);
  expect([recentVisits('ada', kept), kept.getItem('mooring-color-scheme')]).toEqual([[], 'dark']);
});

test.each(['{', 'null', '{"a":1}', '[1,null,{"to":"/"}]'])('what is kept as %j counts as nothing', (broken) => {
  const kept = storage();
  kept.setItem('mooring-recent-ada', broken);
  expect(recentVisits('ada', kept)).toEqual([]);
});
