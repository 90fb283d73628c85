import { expect, test } from 'vitest';
import { dialects } from '../installation.ts';
import { killIngestion } from './kill-ingestion.ts';

test.each(dialects)(
  'a server killed while devices send keeps all acknowledged batches and counts them once (%s)',
  async (dialect) => {
    await expect(killIngestion({ dialect, kills: 2 })).resolves.toContain('counts exact');
  },
);
