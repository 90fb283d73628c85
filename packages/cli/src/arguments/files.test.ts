import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { downloadTo, openFile } from './files.ts';

function scratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('refuses a file above the size limit instead of truncating it', async () => {
  const file = path.join(scratch(), 'large.apk');
  writeFileSync(file, 'package');
  expect(await (await openFile(file, 'application/zip')).text()).toBe('package');
  truncateSync(file, 4 * 1024 ** 3 + 7);
  await expect(openFile(file, 'application/zip')).rejects.toThrow('the limit is 4 GiB');
  await expect(openFile(path.dirname(file), 'application/zip')).rejects.toThrow('is not a file');
});

test('explains why a download failed', async () => {
  const file = path.join(scratch(), 'build.zip');
  await expect(downloadTo('http://127.0.0.1:1/build.zip', file)).rejects.toThrow("Can't reach http://127.0.0.1:1");
});
