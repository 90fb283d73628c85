import { expect, it } from 'vitest';
import { createChanges } from './follow-list.ts';

type Row = { id: string; state: string };
const row = (id: number, state = 'sent'): Row => ({ id: String(id), state });

/** Pages of two rows; counts the pages that were read. */
function createList(rows: Row[]) {
  const list = {
    read: 0,
    async *pages() {
      for (let at = 0; at < rows.length; at += 2) {
        list.read += 1;
        yield rows.slice(at, at + 2);
      }
    },
  };
  return list;
}

it('returns the newest page, oldest first, and then each new or changed row once', async () => {
  const changes = createChanges<Row>();
  const first = createList([row(3), row(2, 'pending'), row(1)]);
  expect(await changes(first.pages())).toEqual([row(2, 'pending'), row(3)]);
  expect(first.read).toBe(1);
  expect(await changes(createList([row(3), row(2, 'pending'), row(1)]).pages())).toEqual([]);
  expect(await changes(createList([row(3), row(2)]).pages())).toEqual([row(2)]);
});

it('reads pages until one has a row it has seen, so that no row is missed', async () => {
  const changes = createChanges<Row>();
  await changes(createList([row(1)]).pages());
  const many = createList([row(6), row(5), row(4), row(3), row(2), row(1), row(0)]);
  expect((await changes(many.pages())).map(({ id }) => id)).toEqual(['2', '3', '4', '5', '6']);
  expect(many.read).toBe(3);
});

it('accepts an empty list at the start', async () => {
  const changes = createChanges<Row>();
  expect(await changes(createList([]).pages())).toEqual([]);
  expect(await changes(createList([row(1)]).pages())).toEqual([row(1)]);
});
