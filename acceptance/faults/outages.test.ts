import { expect, test } from 'vitest';
import { loseDatabase } from './database-gone.ts';
import { fillDisk } from './disk-full.ts';
import { loseFiles } from './files-gone.ts';
import { dialects } from './installation.ts';
import { canSlowDisks, slowDisk } from './slow-disk.ts';

test('a server whose disk has no room says so, goes on reading, and writes again once there is some', async () => {
  await expect(fillDisk('limit')).resolves.toContain('the file is sound');
});

test('a server whose PostgreSQL is away says so, and goes on by itself when it is back', async () => {
  await expect(loseDatabase(1)).resolves.toContain('nothing else');
});

test('a server whose files are away does everything that needs none', async () => {
  await expect(loseFiles()).resolves.toContain('what needs no file worked');
});

test.skipIf(!canSlowDisks()).each(dialects)(
  'a server whose disk is slow makes people wait, and refuses and loses nothing: %s',
  async (dialect) => {
    await expect(slowDisk({ dialect, seconds: 2, delayMs: 200 })).resolves.toContain('all of them what was asked for');
  },
);
