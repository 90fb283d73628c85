import { expect, test } from 'vitest';
import { nextSort, readSort, type Sortable, searchRows, sortName, sortRows, writeSort } from './table-rows.ts';

interface Boat {
  name: string;
  crew?: number;
}

const boats: Boat[] = [{ name: 'Tern 10', crew: 3 }, { name: 'gull' }, { name: 'Tern 9', crew: 12 }];
const columns: Sortable<Boat>[] = [
  { label: 'Name', text: ({ name }) => name },
  { label: 'On board', text: ({ crew }) => crew },
  { label: 'Actions' },
];
const names = (rows: Boat[]) => rows.map(({ name }) => name);

test.each([
  ['', ['Tern 10', 'gull', 'Tern 9']],
  ['TERN', ['Tern 10', 'Tern 9']],
  [' tern  12 ', ['Tern 9']],
  ['sloop', []],
])('a search for %j finds %j', (text, found) => {
  expect(names(searchRows(boats, columns, text))).toEqual(found);
});

test.each([
  ['name', ['gull', 'Tern 9', 'Tern 10']],
  ['-name', ['Tern 10', 'Tern 9', 'gull']],
  ['on_board', ['Tern 10', 'Tern 9', 'gull']],
  ['-on_board', ['Tern 9', 'Tern 10', 'gull']],
  ['actions', ['Tern 10', 'gull', 'Tern 9']],
  ['no such column', ['Tern 10', 'gull', 'Tern 9']],
])('sorted by %j the order is %j', (text, order) => {
  expect(names(sortRows(boats, columns, readSort(text)))).toEqual(order);
});

test('a column is sorted up, then down, then as it was; another one begins again', () => {
  const up = nextSort(undefined, 'name');
  const down = nextSort(up, 'name');
  expect([up, down].map(writeSort)).toEqual(['name', '-name']);
  expect(nextSort(down, 'name')).toBeUndefined();
  expect(writeSort(nextSort(down, 'crew'))).toBe('crew');
});

test('a column is called by its label, or by what the API says', () => {
  expect(sortName({ label: 'Last used' })).toBe('last_used');
  expect(sortName({ label: 'Created', sort: 'created_at' })).toBe('created_at');
});

test('what is no order is none', () => {
  expect(readSort('')).toBeUndefined();
  expect(readSort('a;b')).toBeUndefined();
});
