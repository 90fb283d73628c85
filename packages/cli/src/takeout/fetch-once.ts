import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { downloadTo } from '../files.ts';
import { makeFolder } from './folder.ts';

/** Downloads a file unless it is there: a complete file gets its name last. */
export async function fetchOnce(file: string, address: () => Promise<string>): Promise<void> {
  if (existsSync(file)) return;
  makeFolder(path.dirname(file));
  const part = `${file}.part`;
  rmSync(part, { force: true });
  await downloadTo(await address(), part);
  renameSync(part, file);
}
