import { closeSync, createWriteStream, openSync, readFileSync, readSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Unreadable } from '../../../workers/unreadable.ts';
import { readZip, type ZipLimits, type ZippedFile } from '../../../workers/zip.ts';
import { isBreakpad, readBreakpadModule } from './breakpad.ts';
import { isBundle, MANIFEST, type Manifest, readManifest } from './bundles.ts';
import { readDartSymbols } from './dart-symbols.ts';
import { isElf, readElf } from './elf.ts';
import { DEBUG_ID_KEY, readLineMappings } from './il2cpp.ts';
import type { Image } from './images.ts';
import { isMachO, readMachO } from './mach-o.ts';
import { isPdb, readPdb } from './pdb.ts';
import { isPe, readPe } from './pe.ts';
import { isPortablePdb, readPortablePdb } from './portable-pdb.ts';
import { getNamedId, indexMapping, mappingIds } from './proguard.ts';
import { fileSource, type Source, windowed } from './source.ts';
import { sourceMapIds } from './source-map.ts';

export const symbolTypes = ['Apple', 'JavaScript', 'Breakpad', 'AndroidProguard', 'UWP'] as const;
export type SymbolType = (typeof symbolTypes)[number];

export const formats = [
  'mach-o',
  'elf',
  'breakpad',
  'mapping',
  'source-map',
  'pdb',
  'portable-pdb',
  'pe',
  'sources',
  'dart-symbols',
  'il2cpp',
] as const;
export type Format = (typeof formats)[number];

/** Symbols from an upload, and their location on disk. */
export interface CollectedSymbols extends Image {
  format: Format;
  /** Name of the image, as in reports. */
  name: string;
  file: string;
  size: number;
}

export interface Collected {
  symbols: CollectedSymbols[];
  /** Files that look like symbols but are unusable, with the reason. */
  passedOver: { name: string; reason: string }[];
}

/** Uploads of large apps with all frameworks stay far below. */
export const archiveLimits: ZipLimits = { maxEntries: 20_000, maxBytes: 2 ** 32 };
/** Symbols compress to a third, texts to a tenth. Small archives may have any ratio. */
const MAX_RATIO = 50;
const MIN_LIMITED = 32 * 2 ** 20;

/** Limits an archive of this size by its compression ratio and by the free space for its files. */
function limitsFor(size: number, { maxBytes, ...limits }: ZipLimits): ZipLimits {
  const byRatio = Math.max(MIN_LIMITED, size * MAX_RATIO);
  if (byRatio > maxBytes) return { ...limits, maxBytes };
  const tooLarge = `The archive expands to more than ${MAX_RATIO} times its size, which symbols never do. Include only symbols.`;
  return { ...limits, maxBytes: byRatio, tooLarge };
}

/** Limit per upload. Each becomes a database row; all frameworks of iOS together are fewer. */
const MAX_IMAGES = 5_000;

/** These files are read whole, so they must fit into memory. */
const MAX_TEXT = 256 * 2 ** 20;

/** Formats that each type may contain; uploads of dSYMs from React Native clients include source maps. */
const expected: Readonly<Record<SymbolType, { formats: readonly Format[]; description: string }>> = {
  Apple: { formats: ['mach-o', 'source-map'], description: 'a zip of .dSYM folders' },
  JavaScript: { formats: ['source-map'], description: 'a source map, or a zip of source maps' },
  Breakpad: { formats: ['breakpad', 'elf'], description: 'a zip of .sym files, or of unstripped .so files' },
  AndroidProguard: { formats: ['mapping'], description: 'the mapping.txt of R8 or ProGuard' },
  UWP: { formats: ['pdb', 'portable-pdb', 'pe'], description: 'an .appxsym (a zip of PDBs)' },
};

/** Each format belongs to one type; sources have the type of their upload. */
const typeByFormat: Readonly<Partial<Record<Format, SymbolType>>> = {
  'mach-o': 'Apple',
  elf: 'Breakpad',
  breakpad: 'Breakpad',
  mapping: 'AndroidProguard',
  'source-map': 'JavaScript',
  pdb: 'UWP',
  'portable-pdb': 'UWP',
  pe: 'UWP',
};

export const getSymbolType = (format: Format, ofUpload: SymbolType): SymbolType => typeByFormat[format] ?? ofUpload;

class TooManyImages extends Unreadable {}

const HEAD = 64;

const isZip = (head: Buffer): boolean =>
  isBundle(head) || (head.length >= 4 && [0x504b0304, 0x504b0506].includes(head.readUInt32BE(0)));

/** Recognizes a file by its first bytes; text files by their name, too. */
export function detectFormat(name: string, head: Buffer, type?: SymbolType): Format | undefined {
  if (isMachO(head)) return 'mach-o';
  if (isElf(head)) return 'elf';
  if (isPdb(head)) return 'pdb';
  if (isPortablePdb(head)) return 'portable-pdb';
  if (isPe(head)) return 'pe';
  if (isBreakpad(head)) return 'breakpad';
  if (getNamedId(name) !== undefined) return 'mapping';
  const base = path.posix.basename(name);
  if (/[.](map|json)$/i.test(base) && /^\s*(\)\]\}|\{)/.test(head.toString('utf8'))) return 'source-map';
  if (type === 'AndroidProguard' && /[.](txt|map|pro)$/i.test(base)) return 'mapping';
  return undefined;
}

const MAX_MAP = 64 * 2 ** 20;

/** Recognizes a text file with any name that belongs to a binary with a debug ID. */
function detectMap(file: string, head: Buffer, debugId: string | undefined): Format | undefined {
  const start = head.toString('latin1').trimStart().at(0);
  if (debugId === undefined || statSync(file).size > MAX_MAP) return undefined;
  if (start === '[') return 'dart-symbols';
  return start === '{' && readFileSync(file).includes(`"${DEBUG_ID_KEY}"`) ? 'il2cpp' : undefined;
}

function readFileHead(file: string): Buffer {
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(HEAD);
    return head.subarray(0, readSync(handle, head, 0, HEAD, 0));
  } finally {
    closeSync(handle);
  }
}

/** Reads the first bytes of a file in an archive without consuming it. */
async function peek({ content }: ZippedFile): Promise<{ head: Buffer; content: AsyncGenerator<Buffer> }> {
  const chunks = content()[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let length = 0;
  while (length < HEAD) {
    const next = await chunks.next();
    if (next.done) break;
    first.push(next.value);
    length += next.value.length;
  }
  const head = Buffer.concat(first);
  async function* all() {
    try {
      yield head;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  }
  return { head: head.subarray(0, HEAD), content: all() };
}

const textIds = (ids: { id: string; otherIds: string[] }): Image => ({
  id: ids.id,
  otherIds: ids.otherIds,
  arch: '',
  textAddress: '0x0',
  hasLines: true,
});

const binaryReaders: Readonly<Partial<Record<Format, (source: Source) => Image[] | Image | undefined>>> = {
  'mach-o': readMachO,
  elf: readElf,
  pdb: readPdb,
  'portable-pdb': (source) => readPortablePdb(source).image,
  pe: readPe,
};

function readImages(
  file: string,
  { name: fileName, format, debugId }: FoundFile,
  size: number,
): (Image & { name?: string | undefined })[] {
  const readBinary = binaryReaders[format];
  if (readBinary) {
    const handle = openSync(file, 'r');
    try {
      const found = readBinary(windowed(fileSource(handle)));
      if (Array.isArray(found)) return found;
      return found ? [found] : [];
    } finally {
      closeSync(handle);
    }
  }
  if (size > MAX_TEXT) throw new Unreadable(`The file is larger than ${MAX_TEXT / 2 ** 20} MB.`);
  const content = readFileSync(file);
  if (format === 'breakpad') {
    const { id, arch, name, codeId } = readBreakpadModule(content);
    return [{ id, otherIds: codeId ? [codeId] : [], arch, textAddress: '0x0', hasLines: true, name }];
  }
  if (format === 'mapping') {
    indexMapping(content);
    const { id, otherIds } = mappingIds(content);
    const uuid = getNamedId(fileName);
    return [textIds(uuid === undefined ? { id, otherIds } : { id: uuid, otherIds: [id, ...otherIds] })];
  }
  const ofBinary = (id: string): Image => ({
    ...textIds({ id: `${id}.${format}`, otherIds: [] }),
    hasLines: format === 'il2cpp',
  });
  if (format === 'dart-symbols') {
    readDartSymbols(content);
    return debugId === undefined ? [] : [ofBinary(debugId)];
  }
  if (format === 'il2cpp') {
    const { debugIds } = readLineMappings(content);
    return (debugIds.length > 0 || debugId === undefined ? debugIds : [debugId]).map(ofBinary);
  }
  const { file: bundle, id, otherIds } = sourceMapIds(content);
  const ids = debugId === undefined || otherIds.includes(debugId) ? otherIds : [...otherIds, debugId];
  return [{ ...textIds({ id, otherIds: ids }), name: bundle }];
}

interface FoundFile {
  name: string;
  format: Format;
  file: string;
  /** Debug ID in the manifest of its archive. */
  debugId?: string | undefined;
}

/** Reads an upload; leaves the usable files in the folder, under generated names. */
export async function collectSymbols({
  file,
  name,
  type,
  isMixed = false,
  debugId,
  folder,
  limits = archiveLimits,
}: {
  file: string;
  name: string;
  type: SymbolType;
  isMixed?: boolean | undefined;
  /** As the tool that sent the file read it, in 32 digits; files of some formats don't have it themselves. */
  debugId?: string | undefined;
  folder: string;
  limits?: ZipLimits | undefined;
}): Promise<Collected> {
  const found: FoundFile[] = [];
  const target = (): string => path.join(folder, `symbols-${found.length}`);
  const isExpected = (format: Format | undefined): format is Format =>
    format !== undefined && (isMixed || expected[type].formats.includes(format));
  const head = readFileHead(file);
  let manifest: Manifest | undefined;
  if (isZip(head)) {
    await readZip(file, limitsFor(statSync(file).size, limits), async (zipped) => {
      if (zipped.path.startsWith('__MACOSX/')) return;
      if (isMixed && zipped.path === MANIFEST) {
        manifest = await readManifest(zipped);
        return;
      }
      const { head, content } = await peek(zipped);
      const format = detectFormat(zipped.path, head, isMixed ? undefined : type);
      if (!isExpected(format)) return void (await content.return(undefined));
      const to = target();
      found.push({ name: zipped.path, format, file: to });
      await pipeline(Readable.from(content), createWriteStream(to, { flags: 'wx', mode: 0o600 }));
    });
  } else {
    // Clients choose any name for a single mapping or source map.
    const byType = type === 'AndroidProguard' ? 'mapping' : type === 'JavaScript' ? 'source-map' : undefined;
    const format = isMixed
      ? (detectMap(file, head, debugId) ?? detectFormat(name, head))
      : (detectFormat(name, head, type) ?? byType);
    if (isExpected(format)) {
      const to = target();
      renameSync(file, to);
      found.push({ name, format, file: to, debugId });
    }
  }
  if (manifest?.sourceDebugId !== undefined && found.length === 0) {
    const { sourceDebugId, name: ownName = name } = manifest;
    const to = target();
    renameSync(file, to);
    const image = { id: `${sourceDebugId}.sources`, otherIds: [], arch: '', textAddress: '0x0', hasLines: false };
    return {
      symbols: [{ ...image, name: ownName, format: 'sources', file: to, size: statSync(to).size }],
      passedOver: [],
    };
  }
  if (found.length === 0)
    throw new Unreadable(
      isMixed
        ? `${name} contains no symbols: neither a dSYM, an ELF library, a PDB, a Windows program, a .sym file, a mapping nor a source map.`
        : `The file contains no symbols of type ${type}. Send ${expected[type].description}.`,
    );
  for (const one of found) one.debugId ??= manifest?.debugIds.get(one.name);

  const collected: Collected = { symbols: [], passedOver: [] };
  const ids = new Set<string>();
  for (const one of found) {
    const { name, format, file } = one;
    const { size } = statSync(file);
    try {
      const images = readImages(file, one, size);
      if (images.length === 0) {
        const description = missingIds[format] ?? 'UUID';
        collected.passedOver.push({
          name,
          reason: `The file has no ${description}, so reports cannot be matched to it.`,
        });
      }
      for (const image of images) {
        // Archives often contain the same library twice.
        if (ids.has(image.id)) continue;
        ids.add(image.id);
        if (ids.size > MAX_IMAGES)
          throw new TooManyImages(
            `The file contains symbols of more than ${MAX_IMAGES} images. Send them in several uploads.`,
          );
        const { name: ownName = bareName(name, format), ...rest } = image;
        collected.symbols.push({ ...rest, name: ownName, format, file, size });
      }
    } catch (error) {
      if (!(error instanceof Unreadable) || error instanceof TooManyImages) throw error;
      collected.passedOver.push({ name, reason: error.message });
    }
  }
  if (collected.symbols.length === 0) {
    const [first] = collected.passedOver;
    throw new Unreadable(`None of the ${found.length} files can be used. ${first?.name}: ${first?.reason}`);
  }
  return collected;
}

const missingIds: Readonly<Partial<Record<Format, string>>> = {
  'dart-symbols': 'debug ID (send it with its debug file: sentry-cli dart-symbol-map upload)',
  il2cpp: 'debug ID (send it with its debug file: sentry-cli debug-files upload --il2cpp-mapping)',
  elf: 'build ID (link with -Wl,--build-id)',
  pe: 'debug directory with the ID of a PDB (link with /debug)',
};

const bareName = (name: string, format: Format): string => {
  const base = path.posix.basename(name);
  return format === 'source-map' ? base.replace(/[.]map$/i, '') : base;
};
