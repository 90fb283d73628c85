import { expect, test } from 'vitest';
import { changedPermissions, compareFields, formatGrowth } from './comparison-rows.ts';

const one = { short_version: '1.4.0', version: '140', size: 1_000_000, crashFree: undefined };

test('compares two releases, marks differences and skips empty properties', () => {
  const other = { ...one, version: '141', min_os: '8.0', architectures: ['x86_64', 'arm64'], crashFree: '99.5%' };
  expect(compareFields({ ...one, architectures: ['arm64', 'x86_64'] }, other)).toEqual([
    { label: 'Version', one: '1.4.0', other: '1.4.0', isDifferent: false },
    { label: 'Build', one: '140', other: '141', isDifferent: true },
    { label: 'Size', one: expect.any(String), other: expect.any(String), isDifferent: false },
    { label: 'Minimum OS version', one: '', other: '8.0', isDifferent: true },
    { label: 'Architectures', one: 'arm64, x86_64', other: 'arm64, x86_64', isDifferent: false },
    { label: 'Downloads', one: '0', other: '0', isDifferent: false },
    { label: 'Crash-free devices', one: '', other: '99.5%', isDifferent: true },
  ]);
});

test('formats size differences', () => {
  expect(formatGrowth(1000, 1000)).toBe('same size');
  expect(formatGrowth(1_000_000, 1_250_000)).toMatch(/larger \(\+25\.0%\)$/);
  expect(formatGrowth(1_000_000, 900_000)).toMatch(/smaller \(−10\.0%\)$/);
  expect(formatGrowth(0, 10)).toMatch(/larger$/);
});

test('lists added and removed permissions', () => {
  expect(changedPermissions(['camera', 'contacts'], ['camera', 'location'])).toEqual({
    added: ['location'],
    removed: ['contacts'],
  });
});
