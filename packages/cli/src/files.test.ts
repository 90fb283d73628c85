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

test('a file that is larger than can be sent is refused, and not cut', async () => {
  const file = path.join(scratch(), 'large.apk');
  writeFileSync(file, 'package');
  expect(await (await openFile(file, 'application/zip')).text()).toBe('package');
  truncateSync(file, 4 * 1024 ** 3 + 7);
  await expect(openFile(file, 'application/zip')).rejects.toThrow('less than 4 GiB can be sent');
  await expect(openFile(path.dirname(file), 'application/zip')).rejects.toThrow('is not a file');
});

test('a file that cannot be fetched says why', async () => {
  const file = path.join(scratch(), 'build.zip');
  await expect(downloadTo('http://127.0.0.1:1/build.zip', file)).rejects.toThrow(
    'http://127.0.0.1:1 cannot be reached',
  );
});
