import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeWorkFolder, sweepWorkFolders } from './work-folders.ts';

/** No system has this process ID. */
const UNUSED_PID = 2 ** 30;

test('removes only old folders of processes that have ended', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'work-folders-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const own = path.basename(makeWorkFolder(home));
  for (const name of [`work-${UNUSED_PID}-old`, `work-${UNUSED_PID}-new`, 'work-AbCdEf', 'blobs']) {
    mkdirSync(path.join(home, name));
    writeFileSync(path.join(home, name, 'package'), 'x');
  }
  const now = Date.now();
  for (const name of [own, `work-${UNUSED_PID}-old`, 'work-AbCdEf', 'blobs'])
    utimesSync(path.join(home, name), (now - 2000) / 1000, (now - 2000) / 1000);
  sweepWorkFolders(home, now - 1000);
  expect(readdirSync(home).sort()).toEqual(['blobs', `work-${UNUSED_PID}-new`, own].sort());
});
