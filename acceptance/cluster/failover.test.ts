import { expect, test } from 'vitest';
import { failOver } from './failover.ts';

test('three processes act as one, and outlive the loss of their database with everything that was acknowledged', async () => {
  await expect(failOver({ writers: 8, changes: 150 })).resolves.toContain('all present');
});
