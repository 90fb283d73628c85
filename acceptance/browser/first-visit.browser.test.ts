import { expect, test } from 'vitest';
import { appList, firstVisit, signIn } from '../../test-support/first-visit.ts';

/** Bytes after gzip. */
const LIMIT = 180_000;

test('a first visit loads at most 180 kB until sign-in, and no more until the list of apps', () => {
  expect(firstVisit(...signIn)).toBeLessThan(LIMIT);
  expect(firstVisit(...appList)).toBeLessThan(LIMIT);
});
