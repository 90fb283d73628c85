import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Type } from '@mooring/contract';
import { jsonCodec, StringList } from '../../../kernel/text/json-codec.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { readZip, type ZippedFile } from '../../../workers/zip.ts';
import { createZipFile } from '../../../workers/zip-writer.ts';
import { applyDiff, DIFF_LIST, diffFiles, type Files, hashFiles, isPackaged } from './package-files.ts';

const diffListCodec = jsonCodec(DIFF_LIST, Type.Object({ deletedFiles: StringList }));

/** Runs in a separate process without access to the server. */

export const packageLimits = { maxEntries: 50_000, maxBytes: 2 ** 31 };

const ZIP_START = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const EMPTY_ZIP = Buffer.from([0x50, 0x4b, 0x05, 0x06]);

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function sha256Of(content: AsyncIterable<Uint8Array>): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of content) sum.update(chunk);
  return sum.digest('hex');
}

async function readFiles(file: string): Promise<Files> {
  const files = new Map<string, string>();
  await readZip(file, packageLimits, async ({ path, content }) => {
    const sum = await sha256Of(content());
    if (isPackaged(path)) files.set(path, sum);
  });
  return files;
}

export interface ReadPackage {
  packageHash: string;
  /** False for a single file, which has no diffs. */
  isZip: boolean;
  fileCount: number;
}

/** Reads a package: an archive or a single bundle. */
export async function readPackage(file: string): Promise<ReadPackage> {
  const start = await readStart(file);
  if (start.length === 0) throw new Unreadable('The package is empty.');
  if (start.equals(EMPTY_ZIP)) throw new Unreadable('The package is an archive without files.');
  if (!start.equals(ZIP_START))
    return { packageHash: await sha256Of(createReadStream(file)), isZip: false, fileCount: 1 };
  const files = await readFiles(file);
  if (files.size === 0) throw new Unreadable('The package is an archive without files.');
  if (files.has(DIFF_LIST))
    throw new Unreadable(`The package contains ${DIFF_LIST}, a name that is reserved for diffs. Remove this file.`);
  return { packageHash: hashFiles(files), isZip: true, fileCount: files.size };
}

/** The output depends only on the content, not on time. */
async function writeDiff(newFile: string, diffFile: string, { changed, deleted }: ReturnType<typeof diffFiles>) {
  const target = await open(diffFile, 'w', 0o600);
  try {
    const zip = createZipFile((chunk) => target.appendFile(chunk));
    const list = Buffer.from(JSON.stringify({ deletedFiles: deleted }));
    await zip.add({ name: DIFF_LIST, content: Readable.from([list]) });
    const isChanged = new Set(changed);
    await readZip(newFile, packageLimits, async ({ path, content }: ZippedFile) => {
      if (isChanged.has(path)) await zip.add({ name: path, content: content() });
    });
    await zip.end();
  } finally {
    await target.close();
  }
}

/** Applies a diff as devices do. */
async function applyWritten(oldFiles: Files, diffFile: string): Promise<Files> {
  const files = new Map<string, string>();
  let deleted: string[] = [];
  await readZip(diffFile, packageLimits, async ({ path, content }) => {
    if (path !== DIFF_LIST) files.set(path, await sha256Of(content()));
    else deleted = diffListCodec.parse(await text(content())).deletedFiles;
  });
  return applyDiff(oldFiles, { deleted, files });
}

export interface DiffRequest {
  oldFile: string;
  newFile: string;
  diffFile: string;
  packageHash: string;
}

/** Writes a diff and verifies it. Returns its size, or undefined if the whole package is smaller. */
export async function makeDiff({ oldFile, newFile, diffFile, packageHash }: DiffRequest): Promise<number | undefined> {
  const oldFiles = await readFiles(oldFile);
  const newFiles = await readFiles(newFile);
  await writeDiff(newFile, diffFile, diffFiles(oldFiles, newFiles));
  const { size } = await stat(diffFile);
  if (size >= (await stat(newFile)).size) return undefined;
  const made = hashFiles(await applyWritten(oldFiles, diffFile));
  if (made !== packageHash)
    throw new Unreadable(`applying the diff produced a package with hash ${made} instead of ${packageHash}`);
  return size;
}

export type PackageWork = { read: string } | { diff: DiffRequest };

export default (work: PackageWork) => ('read' in work ? readPackage(work.read) : makeDiff(work.diff));
