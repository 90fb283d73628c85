import { expect, test } from 'vitest';
import { dialects } from './installation.ts';
import { killCounting } from './kills/kill-counting.ts';
import { killAtSteps, stepClock } from './kills/kill-steps.ts';
import { fillTelemetryDisk, loseTelemetryFiles } from './outages/telemetry-outages.ts';

// These tests mostly wait for leases to end.
test.concurrent.each(dialects)(
  'killing the server or the counting process while logs arrive counts each log once (%s)',
  { timeout: 420_000 },
  async (dialect) => {
    await expect(killCounting({ dialect, kills: 2 })).resolves.toContain('each once');
  },
);

test.concurrent.each(dialects)(
  'a server killed at any step of ingestion, compaction or deletion loses nothing and counts nothing twice (%s)',
  { timeout: 420_000 },
  async (dialect) => {
    await expect(killAtSteps(dialect)).resolves.toContain('each counted once');
  },
);

test.concurrent('a clock that is wrong for a while causes no lost or double counts', {
  timeout: 420_000,
}, async () => {
  await expect(stepClock('sqlite')).resolves.toContain('each once');
});

test.each(dialects)('devices are not affected by an outage of the blob store (%s)', async (dialect) => {
  await expect(loseTelemetryFiles(dialect, 3)).resolves.toContain('no request was refused');
});

test('a full queue tells devices when to retry, and no accepted log is lost', async () => {
  await expect(fillTelemetryDisk()).resolves.toContain('and a retry time');
});
