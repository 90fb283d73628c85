import { expect, test } from 'vitest';
import { formatExactTime } from '../../components/text/format-time.ts';
import { formatChange, listChanges } from './changes.ts';

test('lists changed fields only', () => {
  const event = {
    before: { is_admin: false, avatar_url: null, name: 'ada', tags: ['a'] },
    after: { is_admin: true, avatar_url: 'https://a', name: 'ada', tags: ['a'] },
  };
  expect(listChanges(event)).toEqual([
    { field: 'is admin', before: 'no', after: 'yes' },
    { field: 'avatar url', before: 'nothing', after: 'https://a' },
  ]);
  expect(listChanges(event).map(formatChange)).toEqual(['is admin: no → yes', 'avatar url: nothing → https://a']);
});

test('created resources have no old values, deleted ones no new values', () => {
  expect(listChanges({ after: { scope: 'viewer' } }).map(formatChange)).toEqual(['scope: viewer']);
  expect(listChanges({ before: { scope: 'all' } }).map(formatChange)).toEqual(['scope: all']);
  expect(listChanges({})).toEqual([]);
});

test('formats times as everywhere else', () => {
  const at = Date.parse('2027-11-01T09:00:00Z');
  for (const value of [at, '2027-11-01T09:00:00.000Z']) {
    expect(listChanges({ after: { expires_at: value } })[0]?.after).toBe(formatExactTime(at));
  }
});
