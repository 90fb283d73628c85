import { expect, test } from 'vitest';
import { paletteUses, recordUse } from './palette-uses.ts';
import { clearVisits } from './recent-visits.ts';

function memory(): Storage {
  const values = new Map<string, string>();
  return Object.assign(Object.create(null), {
    getItem: (key: string) => values.get(key) ?? null,
    setItem(this: Record<string, string>, key: string, value: string) {
      values.set(key, value);
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      values.delete(key);
      delete this[key];
    },
  });
}

test('counts the uses of each user, and forgets them on sign-out', () => {
  const storage = memory();
  recordUse('ada', 'page crashes', storage);
  recordUse('ada', 'page crashes', storage);
  recordUse('eve', 'sign out', storage);
  expect([...paletteUses('ada', storage)]).toEqual([['page crashes', 2]]);
  clearVisits(storage);
  expect(paletteUses('ada', storage).size).toBe(0);
});

test('keeps the latest hundred entries, and ignores a damaged value', () => {
  const storage = memory();
  for (let n = 0; n < 120; n += 1) recordUse('ada', `page ${n}`, storage);
  expect([paletteUses('ada', storage).size, paletteUses('ada', storage).has('page 19')]).toEqual([100, false]);
  storage.setItem('mooring-recent-uses-ada', 'no JSON');
  expect(paletteUses('ada', storage).size).toBe(0);
});
