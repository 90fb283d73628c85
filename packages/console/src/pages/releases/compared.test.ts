import { expect, test } from 'vitest';
import { changedPermissions, compareFields, growthInWords } from './compared.ts';

const one = { short_version: '1.4.0', version: '140', size: 1_000_000, crashFree: undefined };

test('facts of two releases stand side by side, those that differ are marked, those that neither has are left out', () => {
  const other = { ...one, version: '141', min_os: '8.0', architectures: ['x86_64', 'arm64'], crashFree: '99.5 %' };
  expect(compareFields({ ...one, architectures: ['arm64', 'x86_64'] }, other)).toEqual([
    { label: 'Version', one: '1.4.0', other: '1.4.0', isDifferent: false },
    { label: 'Build', one: '140', other: '141', isDifferent: true },
    { label: 'Size', one: expect.any(String), other: expect.any(String), isDifferent: false },
    { label: 'Minimum system', one: '', other: '8.0', isDifferent: true },
    { label: 'Architectures', one: 'arm64, x86_64', other: 'arm64, x86_64', isDifferent: false },
    { label: 'Downloads', one: '0', other: '0', isDifferent: false },
    { label: 'Devices without a crash', one: '', other: '99.5 %', isDifferent: true },
  ]);
});

test('a size that differs says by how much', () => {
  expect(growthInWords(1000, 1000)).toBe('as large');
  expect(growthInWords(1_000_000, 1_250_000)).toMatch(/larger \(\+25\.0 %\)$/);
  expect(growthInWords(1_000_000, 900_000)).toMatch(/smaller \(−10\.0 %\)$/);
  expect(growthInWords(0, 10)).toMatch(/larger$/);
});

test('permissions that came and went are told apart', () => {
  expect(changedPermissions(['camera', 'contacts'], ['camera', 'location'])).toEqual({
    added: ['location'],
    removed: ['contacts'],
  });
});
