import { expect, test } from 'vitest';
import { fillExportFolder } from './full-folder.ts';
import { killLeaving } from './kill-leaving.ts';

// `npm run faults` does it on PostgreSQL too.
test('a server that is killed in the middle of a delivery, an export or a deletion loses nothing and leaves nothing half done', {
  timeout: 900_000,
}, async () => {
  await expect(killLeaving('sqlite')).resolves.toContain('once more by an export that began with all that was kept');
});

test('an export whose folder has no room says so, and goes on by itself when there is some', {
  timeout: 300_000,
}, async () => {
  await expect(fillExportFolder('limit')).resolves.toContain('each once');
});
