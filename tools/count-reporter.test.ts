import { expect, test } from 'vitest';
import { mustRun } from './count-reporter.ts';

test('a skipped test fails in CI and is reported elsewhere', () => {
  const file = 'packages/server/src/telemetry/clickhouse/clickhouse.test.ts';
  expect(mustRun(file, { CI: 'true' }, 'linux-arm64')).toBe(true);
  expect(mustRun(file, {}, 'linux-arm64')).toBe(false);
});

test('a comparison with a single-platform program is required on that platform only', () => {
  const file = 'packages/server/test/breakpad/breakpad.test.ts';
  expect(mustRun(file, { CI: 'true' }, 'linux-x64')).toBe(true);
  expect(mustRun(file, { CI: 'true' }, 'linux-arm64')).toBe(false);
});
