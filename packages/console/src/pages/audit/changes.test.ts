import { expect, test } from 'vitest';
import { exactTime } from '../../parts/time-words.ts';
import { changeInWords, changesOf } from './changes.ts';

test('a change is told field by field, and what stayed as it was is not', () => {
  const event = {
    before: { is_admin: false, avatar_url: null, name: 'ada', tags: ['a'] },
    after: { is_admin: true, avatar_url: 'https://a', name: 'ada', tags: ['a'] },
  };
  expect(changesOf(event)).toEqual([
    { field: 'is admin', before: 'no', after: 'yes' },
    { field: 'avatar url', before: 'nothing', after: 'https://a' },
  ]);
  expect(changesOf(event).map(changeInWords)).toEqual(['is admin: no → yes', 'avatar url: nothing → https://a']);
});

test('what was made has no before, and what was deleted no after', () => {
  expect(changesOf({ after: { scope: 'viewer' } }).map(changeInWords)).toEqual(['scope: viewer']);
  expect(changesOf({ before: { scope: 'all' } }).map(changeInWords)).toEqual(['scope: all']);
  expect(changesOf({})).toEqual([]);
});

test('a moment is told as everywhere else', () => {
  const at = Date.parse('2027-11-01T09:00:00Z');
  for (const value of [at, '2027-11-01T09:00:00.000Z']) {
    expect(changesOf({ after: { expires_at: value } })[0]?.after).toBe(exactTime(at));
  }
});
