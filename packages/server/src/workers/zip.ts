import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { FileBlocks } from './file-blocks.ts';
import { Unreadable } from './unreadable.ts';

export interface ZipLimits {
  /** Files and folders. */
  maxEntries: number;
  /** Of all files together, once inflated. */
  maxBytes: number;
  /** Says why an archive that inflates to more is refused. */
  tooLarge?: string;
  /** Goes past symbolic links, as apps for macOS have them; else they are refused. */
  skipsLinks?: true;
}

export interface ZippedFile {
  /** With `/` between folders; it neither begins with one nor leaves the archive. */
  path: string;
  /** Once inflated. */
  size: number;
  /** Throws at its end if it is not what it was when it was packed. */
  content(): AsyncIterable<Buffer>;
}

const PATH_MAX = 1000;
/** Every folder is remembered once, so a path costs as much as it is deep. */
const DEEPEST = 100;

const S_IFMT = 0o170000;
const S_IFREG = 0o100000;
const S_IFDIR = 0o040000;
const MADE_ON_UNIX = 3;

/** What kind of thing an entry says that it is, if it was made where that is said. */
function kindOf({ versionMadeBy, externalFileAttributes, fileName }: Entry): 'file' | 'folder' | 'other' {
  const type = versionMadeBy >>> 8 === MADE_ON_UNIX ? (externalFileAttributes >>> 16) & S_IFMT : 0;
  if (fileName.endsWith('/')) return type === 0 || type === S_IFDIR ? 'folder' : 'other';
  return type === 0 || type === S_IFREG ? 'file' : 'other';
}

const shown = (path: string): string => JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}…` : path);

/** Refuses names that would end up at the same place. */
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
    throw new Unreadable(`${shown(fileName)} is encrypted; make the archive without a password.`);
  const kind = kindOf(entry);
  if (kind === 'other' && !skipsLinks)
    throw new Unreadable(`${shown(fileName)} is neither a file nor a folder; symbolic links are not taken.`);
  const segments = fileName.split('/');
  if (segments.length > DEEPEST) throw new Unreadable(`${shown(fileName)} is in more than ${DEEPEST} folders.`);
  const hasOddSegment = segments.some((segment, at, all) => {
    const isLast = at === all.length - 1;
    return segment === '.' || segment === '..' || (segment === '' && !(isLast && kind === 'folder'));
  });
  if (hasOddSegment || fileName.includes('\0') || fileName.length > PATH_MAX)
    throw new Unreadable(`${shown(fileName)} cannot be the name of a file in an archive.`);
  return kind;
}

/** Some readers go by the list at the end of an archive, some by what stands before each file: both must say the same. */
async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const { fileName } = await zip.readLocalFileHeaderPromise(entry);
  if (!fileName.equals(entry.fileNameRaw)) throw new Unreadable(`${shown(entry.fileName)} has two names.`);
  let sum = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    sum = crc32(chunk as Buffer, sum);
    yield chunk as Buffer;
  }
  if (sum !== entry.crc32) throw new Unreadable(`${shown(entry.fileName)} is damaged.`);
}

/** yauzl says what is wrong with an archive in words that people understand. */
const toUnreadable = (error: unknown): unknown =>
  error instanceof Unreadable || (error as NodeJS.ErrnoException).syscall !== undefined
    ? error
    : new Unreadable(`The archive cannot be read: ${(error as Error).message.replace(/\.$/, '')}.`);

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
    if (packed > zip.fileSize) throw new Unreadable('Files in the archive overlap.');
    const content = () => contentOf(zip, entry);
    await work({ path: entry.fileName, size: entry.uncompressedSize, content });
  }
}

/** Goes through the files of an archive on the disk, in its order. Whatever it claims, it is read in time that grows with its size. */
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
