import { expect, test } from 'vitest';
import { parseLogTime } from './log-time.ts';

const at = Date.parse('2026-11-01T08:59:58.120Z');

test.each([
  '2026-11-01T08:59:58.120Z',
  '2026-11-01T08:59:58.12Z',
  '2026-11-01T08:59:58.1200000Z',
  '2026-11-01T08:59:58.120000000000Z',
  '2026-11-01t08:59:58.120z',
  '2026-11-01T08:59:58.120',
  '2026-11-01T10:59:58.120+02:00',
  '2026-11-01T03:29:58.120-05:30',
])('%s is a time', (text) => expect(parseLogTime(text)).toBe(at));

test('seconds and their fractions are optional', () => {
  expect(parseLogTime('2026-11-01T08:59:58Z')).toBe(at - 120);
  expect(parseLogTime('2026-11-01T08:59')).toBe(at - 58_120);
});

test.each([
  '',
  'yesterday',
  '2026-11-01',
  '2026-13-01T08:59:58.120Z',
  '2026-11-01T25:59:58.120Z',
  '2026-11-01T08:59:58.Z',
  '2026-11-01T08:59:58.1200000000000Z',
  ' 2026-11-01T08:59:58.120Z',
  'Sun Nov 01 2026 08:59 Z',
])('%s is not a time', (text) => expect(parseLogTime(text)).toBeUndefined());
