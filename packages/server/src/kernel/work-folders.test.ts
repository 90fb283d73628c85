import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeWorkFolder, sweepWorkFolders } from './work-folders.ts';

/** No system has so many. */
const NOBODY = 2 ** 30;

test('folders of processes that are gone are removed once they are old, and no others', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'work-folders-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const own = path.basename(makeWorkFolder(home));
  for (const name of [`work-${NOBODY}-old`, `work-${NOBODY}-new`, 'work-AbCdEf', 'blobs']) {
    mkdirSync(path.join(home, name));
    writeFileSync(path.join(home, name, 'package'), 'x');
  }
  const now = Date.now();
  for (const name of [own, `work-${NOBODY}-old`, 'work-AbCdEf', 'blobs'])
    utimesSync(path.join(home, name), (now - 2000) / 1000, (now - 2000) / 1000);
  sweepWorkFolders(home, now - 1000);
  expect(readdirSync(home).sort()).toEqual(['blobs', `work-${NOBODY}-new`, own].sort());
});
