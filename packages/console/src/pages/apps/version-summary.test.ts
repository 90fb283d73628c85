import { expect, test } from 'vitest';
import { summarizeVersions } from './version-summary.ts';

test('adds the builds of a version, and compares numbers in versions', () => {
  expect(
    summarizeVersions([
      { version: '1.9.0', devices: 10, crashed_devices: 1 },
      { version: '1.10.0', devices: 30, crashed_devices: 3 },
      { version: '1.10.0', devices: 10, crashed_devices: 0 },
    ]),
  ).toEqual([
    { version: '1.10.0', devices: 40, crashFree: 92.5 },
    { version: '1.9.0', devices: 10, crashFree: 90 },
  ]);
});
