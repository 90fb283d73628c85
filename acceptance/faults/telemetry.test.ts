import { expect, test } from 'vitest';
import { dialects } from './installation.ts';
import { killCounting } from './kill-counting.ts';
import { killAtSteps, stepClock } from './kill-steps.ts';
import { fillDiskOfTelemetry, loseFilesOfTelemetry } from './telemetry-outages.ts';

// Mostly they wait for leases to end.
test.concurrent.each(dialects)(
  'a server, or what counts for it, that is killed while logs come counts each of them once (%s)',
  { timeout: 420_000 },
  async (dialect) => {
    await expect(killCounting({ dialect, kills: 2 })).resolves.toContain('each once');
  },
);

test.concurrent.each(dialects)(
  'a server that is killed at any step of taking, compacting or deleting loses nothing and counts nothing twice (%s)',
  { timeout: 420_000 },
  async (dialect) => {
    await expect(killAtSteps(dialect)).resolves.toContain('each counted once');
  },
);

test.concurrent('a clock that is wrong for a while makes no log count twice or never', {
  timeout: 420_000,
}, async () => {
  await expect(stepClock('sqlite')).resolves.toContain('each once');
});

test.each(dialects)('devices notice nothing of a store of files that is away (%s)', async (dialect) => {
  await expect(loseFilesOfTelemetry(dialect, 3)).resolves.toContain('none was refused');
});

test('devices whose logs find no room are told when to come back, and none of those that were kept is lost', async () => {
  await expect(fillDiskOfTelemetry()).resolves.toContain('when to come back');
});
