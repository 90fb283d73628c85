import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Unreadable } from '../../../workers/unreadable.ts';
import { readZip, type ZippedFile } from '../../../workers/zip.ts';
import { createZipFile } from '../../../workers/zip-writer.ts';
import { applyDiff, DIFF_LIST, diffOf, type Files, hashOfFiles, isPackaged } from './package-files.ts';

/** Runs in a separate process without access to the server. */

export const packageLimits = { maxEntries: 50_000, maxBytes: 2 ** 31 };

const ZIP_START = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const EMPTY_ZIP = Buffer.from([0x50, 0x4b, 0x05, 0x06]);

async function startOf(file: string): Promise<Buffer> {
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
  /** Otherwise it is one file, and has no diffs. */
  isZip: boolean;
  fileCount: number;
}

/** A package as devices take it: an archive, or a bundle alone. */
export async function readPackage(file: string): Promise<ReadPackage> {
  const start = await startOf(file);
  if (start.length === 0) throw new Unreadable('The package is empty.');
  if (start.equals(EMPTY_ZIP)) throw new Unreadable('The package is an archive without files.');
  if (!start.equals(ZIP_START))
    return { packageHash: await sha256Of(createReadStream(file)), isZip: false, fileCount: 1 };
  const files = await readFiles(file);
  if (files.size === 0) throw new Unreadable('The package is an archive without files.');
  if (files.has(DIFF_LIST))
    throw new Unreadable(`The package has ${DIFF_LIST} in it, by which devices know a diff; leave that file out.`);
  return { packageHash: hashOfFiles(files), isZip: true, fileCount: files.size };
}

/** The same content gives the same diff, whenever it is made. */
async function writeDiff(newFile: string, diffFile: string, { changed, deleted }: ReturnType<typeof diffOf>) {
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

/** What a device does with it. */
async function applyWritten(oldFiles: Files, diffFile: string): Promise<Files> {
  const files = new Map<string, string>();
  let deleted: string[] = [];
  await readZip(diffFile, packageLimits, async ({ path, content }) => {
    if (path !== DIFF_LIST) files.set(path, await sha256Of(content()));
    else deleted = (JSON.parse(await text(content())) as { deletedFiles: string[] }).deletedFiles;
  });
  return applyDiff(oldFiles, { deleted, files });
}

export interface DiffAsked {
  oldFile: string;
  newFile: string;
  diffFile: string;
  packageHash: string;
}

/** Writes what turns one package into another, and tries it. Its size, or nothing if a device is better off with the whole. */
export async function makeDiff({ oldFile, newFile, diffFile, packageHash }: DiffAsked): Promise<number | undefined> {
  const oldFiles = await readFiles(oldFile);
  const newFiles = await readFiles(newFile);
  await writeDiff(newFile, diffFile, diffOf(oldFiles, newFiles));
  const { size } = await stat(diffFile);
  if (size >= (await stat(newFile)).size) return undefined;
  const made = hashOfFiles(await applyWritten(oldFiles, diffFile));
  if (made !== packageHash) throw new Unreadable(`a diff makes ${made} of its package, not ${packageHash}`);
  return size;
}

export type PackageWork = { read: string } | { diff: DiffAsked };

export default (work: PackageWork) => ('read' in work ? readPackage(work.read) : makeDiff(work.diff));
