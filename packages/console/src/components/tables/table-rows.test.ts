import { expect, test } from 'vitest';
import { nextSort, readSort, type Sortable, searchRows, sortName, sortRows, writeSort } from './table-rows.ts';

interface Boat {
  name: string;
  crew?: number;
}

const boats: Boat[] = [{ name: 'Tern 10', crew: 3 }, { name: 'gull' }, { name: 'Tern 9', crew: 12 }];
const columns: Sortable<Boat>[] = [
  { id: 'name', label: 'Name', text: ({ name }) => name },
  { id: 'crew', label: 'On board', text: ({ crew }) => crew },
  { id: 'actions', label: 'Actions' },
];
const names = (rows: Boat[]) => rows.map(({ name }) => name);

test.each([
  ['', ['Tern 10', 'gull', 'Tern 9']],
  ['TERN', ['Tern 10', 'Tern 9']],
  [' tern  12 ', ['Tern 9']],
  ['sloop', []],
])('finds for %j: %j', (text, matches) => {
  expect(names(searchRows(boats, columns, text))).toEqual(matches);
});

test.each([
  ['name', ['gull', 'Tern 9', 'Tern 10']],
  ['-name', ['Tern 10', 'Tern 9', 'gull']],
  ['crew', ['Tern 10', 'Tern 9', 'gull']],
  ['-crew', ['Tern 9', 'Tern 10', 'gull']],
  ['actions', ['Tern 10', 'gull', 'Tern 9']],
  ['no such column', ['Tern 10', 'gull', 'Tern 9']],
])('sorts by %j: %j', (text, order) => {
  expect(names(sortRows(boats, columns, readSort(text)))).toEqual(order);
});

test('cycles a column through ascending, descending and unsorted, and starts again for another column', () => {
  const up = nextSort(undefined, 'name');
  const down = nextSort(up, 'name');
  expect([up, down].map(writeSort)).toEqual(['name', '-name']);
  expect(nextSort(down, 'name')).toBeUndefined();
  expect(writeSort(nextSort(down, 'crew'))).toBe('crew');
});

test('identifies a column by its API name or its ID', () => {
  expect(sortName({ id: 'last_used' })).toBe('last_used');
  expect(sortName({ id: 'created', sort: 'created_at' })).toBe('created_at');
});

test('ignores an invalid sort order', () => {
  expect(readSort('')).toBeUndefined();
  expect(readSort('a;b')).toBeUndefined();
});
