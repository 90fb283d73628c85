import { expect, test } from 'vitest';
import { fillExportFolder } from '../outages/export-folder-full.ts';
import { killOutbound } from './kill-outbound.ts';

// `npm run faults` also runs it on PostgreSQL.
test('a server killed in the middle of a delivery, an export or an erasure loses nothing and leaves no partial result', {
  timeout: 900_000,
}, async () => {
  await expect(killOutbound('sqlite')).resolves.toContain('again by a later export with backfill');
});

test('an export to a full disk reports it, and resumes when there is space', {
  timeout: 300_000,
}, async () => {
  await expect(fillExportFolder('limit')).resolves.toContain('each once');
});
