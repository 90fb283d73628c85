import { expect, test } from 'vitest';
import { appList, firstVisit, signIn } from '../../tools/first-visit.ts';

/** In bytes, compressed by gzip. */
const LIMIT = 180_000;

test('a browser that was never here loads at most 180 kB to sign in, and no more until the list of apps', () => {
  expect(firstVisit(...signIn)).toBeLessThan(LIMIT);
  expect(firstVisit(...appList)).toBeLessThan(LIMIT);
});
