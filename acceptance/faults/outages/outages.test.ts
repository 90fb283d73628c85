import { expect, test } from 'vitest';
import { dialects } from '../installation.ts';
import { loseDatabase } from './database-outage.ts';
import { fillDisk } from './disk-full.ts';
import { loseFiles } from './file-store-outage.ts';
import { canSlowDisks, slowDisk } from './slow-disk.ts';

test('a server with a full disk says so, still serves reads, and writes again once there is space', async () => {
  await expect(fillDisk('limit')).resolves.toContain('the database file is intact');
});

test('a server without PostgreSQL reports it, and recovers when it is back', async () => {
  await expect(loseDatabase(1)).resolves.toContain('nothing else');
});

test('a server without its blob store serves all requests that need no file', async () => {
  await expect(loseFiles()).resolves.toContain('requests without files worked');
});

test.skipIf(!canSlowDisks()).each(dialects)(
  'a server with a slow disk makes users wait, and rejects and loses nothing: %s',
  async (dialect) => {
    await expect(slowDisk({ dialect, seconds: 2, delayMs: 200 })).resolves.toContain('all correct');
  },
);
