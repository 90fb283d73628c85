import { expect, test } from 'vitest';
import { killLeaving } from './kill-leaving.ts';

// `npm run faults` does it on PostgreSQL too.
test('a server that is killed in the middle of a delivery, an export or a deletion loses nothing and leaves nothing half done', {
  timeout: 900_000,
}, async () => {
  await expect(killLeaving('sqlite')).resolves.toContain('exported once each');
});
