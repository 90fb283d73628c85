import { expect, test } from 'vitest';
import { dialects } from './installation.ts';
import { killIngestion } from './kill-ingestion.ts';

test.each(dialects)(
  'a server that is killed while devices send keeps every acknowledged batch, once, and counts it (%s)',
  async (dialect) => {
    await expect(killIngestion({ dialect, kills: 2 })).resolves.toContain('counts exact');
  },
);
