import { expect, test } from 'vitest';
import { judgeVersion, type VersionHealth } from './version-health.ts';

const health = (version: string, devices: number, crashed: number, app_build = '1'): VersionHealth => ({
  version,
  app_build,
  devices,
  crashed_devices: crashed,
  crash_free_devices: 100 * (1 - crashed / devices),
});

test('compares with the newest earlier version, on the build with the most devices', () => {
  const current = health('1.10.0', 1000, 10);
  const previous = health('1.9.0', 1000, 40, '92');
  const others = [health('1.8.0', 5000, 0), health('1.9.0', 40, 0, '91'), health('2.0.0', 5000, 0)];
  expect(judgeVersion(current, [current, ...others, previous])).toEqual({ outcome: 'healthier', points: 3, previous });
  expect(judgeVersion(previous, [current, previous, ...others])).toMatchObject({
    outcome: 'less_healthy',
    points: -4,
    previous: { version: '1.8.0' },
  });
});

test('a difference that may be chance is no verdict', () => {
  const [current, previous] = [health('1.1.0', 100, 3), health('1.0.0', 100, 5)];
  expect(judgeVersion(current, [current, previous])).toMatchObject({ outcome: 'as_healthy', points: 2 });
  const [one, two] = [health('1.1.0', 100, 0), health('1.0.0', 100, 0)];
  expect(judgeVersion(one, [one, two])).toMatchObject({ outcome: 'as_healthy', points: 0 });
});

test('says nothing without enough devices or an earlier version', () => {
  const [few, many] = [health('1.1.0', 29, 0), health('1.0.0', 1000, 500)];
  expect(judgeVersion(few, [few, many])).toEqual({ outcome: 'unknown', previous: many });
  expect(judgeVersion(many, [few, many])).toEqual({ outcome: 'unknown' });
  // Too few devices have the version in between, so the one before counts.
  const next = health('1.2.0', 1000, 100);
  expect(judgeVersion(next, [few, many, next])).toMatchObject({ outcome: 'healthier', previous: many });
  expect(judgeVersion(undefined, [many])).toEqual({ outcome: 'unknown' });
});
