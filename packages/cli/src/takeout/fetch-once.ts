import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { downloadTo } from '../arguments/files.ts';
import { makeFolder } from './folder.ts';

/** Downloads a file unless it exists. It gets its final name when it is complete. */
export async function fetchOnce(file: string, getUrl: () => Promise<string>): Promise<void> {
  if (existsSync(file)) return;
  makeFolder(path.dirname(file));
  const part = `${file}.part`;
  rmSync(part, { force: true });
  await downloadTo(await getUrl(), part);
  renameSync(part, file);
}
