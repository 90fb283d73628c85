import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { FileBlocks } from './file-blocks.ts';
import { Unreadable } from './unreadable.ts';

export interface ZipLimits {
  /** Maximum number of files and folders. */
  maxEntries: number;
  /** Maximum size of all files together, inflated. */
  maxBytes: number;
  /** Error message for an archive that inflates to more. */
  tooLarge?: string;
  /** Skips symbolic links, which apps for macOS contain, instead of refusing them. */
  skipsLinks?: true;
}

export interface ZippedFile {
  /** With `/` as separator; relative, and within the archive. */
  path: string;
  /** Inflated size. */
  size: number;
  /** Throws at its end if the checksum does not match. */
  content(): AsyncIterable<Buffer>;
}

const PATH_MAX = 1000;
/** Maximum depth. Every folder is remembered, so the cost of a path grows with its depth. */
const MAX_FOLDER_DEPTH = 100;

const S_IFMT = 0o170000;
const S_IFREG = 0o100000;
const S_IFDIR = 0o040000;
const MADE_ON_UNIX = 3;

/** Type of an entry, if it was created on Unix, which stores types. */
function getEntryKind({ versionMadeBy, externalFileAttributes, fileName }: Entry): 'file' | 'folder' | 'other' {
  const type = versionMadeBy >>> 8 === MADE_ON_UNIX ? (externalFileAttributes >>> 16) & S_IFMT : 0;
  if (fileName.endsWith('/')) return type === 0 || type === S_IFDIR ? 'folder' : 'other';
  return type === 0 || type === S_IFREG ? 'file' : 'other';
}

const shown = (path: string): string => JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}…` : path);

/** Refuses names that lead to the same path. */
function createPlaces() {
  const files = new Set<string>();
  const folders = new Set<string>();
  return (path: string): void => {
    if (files.has(path)) throw new Unreadable(`The archive has two files at ${shown(path)}.`);
    if (folders.has(path)) throw new Unreadable(`The archive has a file and a folder at ${shown(path)}.`);
    files.add(path);
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) return;
      if (files.has(folder)) throw new Unreadable(`The archive has a file and a folder at ${shown(folder)}.`);
      folders.add(folder);
    }
  };
}

function checkEntry(entry: Entry, skipsLinks = false): 'file' | 'folder' | 'other' {
  const { fileName } = entry;
  if (entry.isEncrypted())
    throw new Unreadable(`${shown(fileName)} is encrypted. Create the archive without a password.`);
  const kind = getEntryKind(entry);
  if (kind === 'other' && !skipsLinks)
    throw new Unreadable(`${shown(fileName)} is neither a file nor a folder. Remove symbolic links from the archive.`);
  const segments = fileName.split('/');
  if (segments.length > MAX_FOLDER_DEPTH)
    throw new Unreadable(`${shown(fileName)} is nested more than ${MAX_FOLDER_DEPTH} folders deep.`);
  const hasOddSegment = segments.some((segment, at, all) => {
    const isLast = at === all.length - 1;
    return segment === '.' || segment === '..' || (segment === '' && !(isLast && kind === 'folder'));
  });
  if (hasOddSegment || fileName.includes('\0') || fileName.length > PATH_MAX)
    throw new Unreadable(`${shown(fileName)} is not a valid file name in an archive.`);
  return kind;
}

/**
 * Some readers use the central directory of an archive, others the header before each file, so both must have the same
 * name.
 */
async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const { fileName } = await zip.readLocalFileHeaderPromise(entry);
  if (!fileName.equals(entry.fileNameRaw))
    throw new Unreadable(`${shown(entry.fileName)} has different names in the archive. Create the archive again.`);
  let sum = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    sum = crc32(chunk as Buffer, sum);
    yield chunk as Buffer;
  }
  if (sum !== entry.crc32) throw new Unreadable(`${shown(entry.fileName)} is damaged. Create the archive again.`);
}

/** yauzl's error messages are readable. */
const toUnreadable = (error: unknown): unknown =>
  error instanceof Unreadable || (error as NodeJS.ErrnoException).syscall !== undefined
    ? error
    : new Unreadable(`Invalid archive: ${(error as Error).message.replace(/\.$/, '')}.`);

async function visit(
  zip: ZipFile,
  { maxEntries, maxBytes, tooLarge = `The archive inflates to more than ${maxBytes} bytes.`, skipsLinks }: ZipLimits,
  work: (file: ZippedFile) => Promise<void>,
) {
  const tooMany = () => new Unreadable(`The archive has more than ${maxEntries} files.`);
  if (zip.entryCount > maxEntries) throw tooMany();
  const place = createPlaces();
  let count = 0;
  let inflated = 0;
  let packed = 0;
  for await (const entry of zip.eachEntry()) {
    count += 1;
    if (count > maxEntries) throw tooMany();
    if (checkEntry(entry, skipsLinks) !== 'file') continue;
    place(entry.fileName);
    inflated += entry.uncompressedSize;
    if (inflated > maxBytes) throw new Unreadable(tooLarge);
    packed += entry.compressedSize;
    if (packed > zip.fileSize) throw new Unreadable('Files in the archive overlap. Create the archive again.');
    const content = () => readEntry(zip, entry);
    await work({ path: entry.fileName, size: entry.uncompressedSize, content });
  }
}

/** Reads the files of an archive on disk, in order. Takes linear time, even for a malicious archive. */
export async function readZip(
  file: string,
  limits: ZipLimits,
  work: (file: ZippedFile) => Promise<void>,
): Promise<void> {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      const options = { autoClose: false, lazyEntries: true };
      await visit(await yauzl.fromRandomAccessReaderPromise(new FileBlocks(handle), size, options), limits, work);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw toUnreadable(error);
  }
}
