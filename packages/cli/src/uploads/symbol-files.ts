import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { wrongUsage } from '../framework/errors.ts';

export type SymbolType = 'Apple' | 'JavaScript' | 'Breakpad' | 'AndroidProguard' | 'UWP';

export interface SymbolFile {
  file: string;
  type: SymbolType;
  /** IDs that the server will assign to the contained symbols; empty if unknown. */
  ids: string[];
}

export interface SkippedFile {
  file: string;
  reason: string;
}

type Read = (offset: number, length: number) => Buffer;

function withFile<T>(file: string, work: (read: Read) => T): T {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    return work((offset, length) => {
      const content = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      readSync(handle, content, 0, content.length, offset);
      return content;
    });
  } finally {
    closeSync(handle);
  }
}

const UUID_COMMAND = 0x1b;

function sliceId(read: Read, offset: number): string | undefined {
  const head = read(offset, 32);
  if (head.length < 32) return undefined;
  const isWide = head.readUInt32LE(0) === 0xfeedfacf;
  if (!isWide && head.readUInt32LE(0) !== 0xfeedface) return undefined;
  const commands = read(offset + (isWide ? 32 : 28), Math.min(head.readUInt32LE(20), 4_194_304));
  for (let at = 0; at + 24 <= commands.length; at += Math.max(8, commands.readUInt32LE(at + 4))) {
    if (commands.readUInt32LE(at) === UUID_COMMAND) return commands.toString('hex', at + 8, at + 24);
  }
  return undefined;
}

/** The UUID of each architecture in a Mach-O file; undefined for other files. */
export function machIds(read: Read): string[] | undefined {
  const head = read(0, 8);
  if (head.length < 8) return undefined;
  const magic = head.readUInt32BE(0);
  const count = head.readUInt32BE(4);
  const isFat = magic === 0xcafebabe || magic === 0xcafebabf;
  if (!isFat && ![0xfeedface, 0xfeedfacf].includes(head.readUInt32LE(0))) return undefined;
  // Java class files start with the same number.
  if (isFat && count > 32) return undefined;
  const isWide = magic === 0xcafebabf;
  const size = isWide ? 32 : 20;
  const table = isFat ? read(8, count * size) : Buffer.alloc(0);
  const offsets = isFat
    ? Array.from({ length: Math.floor(table.length / size) }, (_, index) =>
        isWide ? Number(table.readBigUInt64BE(index * size + 8)) : table.readUInt32BE(index * size + 8),
      )
    : [0];
  return offsets.map((offset) => sliceId(read, offset)).filter((id) => id !== undefined);
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** Converts a GNU build ID to the ID that Breakpad uses. */
function breakpadId(buildId: Buffer): string {
  const bytes = Buffer.alloc(16);
  buildId.copy(bytes, 0, 0, 16);
  const first = hex(bytes.readUInt32LE(0), 8) + hex(bytes.readUInt16LE(4), 4) + hex(bytes.readUInt16LE(6), 4);
  return `${(first + bytes.toString('hex', 8, 16)).toUpperCase()}0`;
}

/** The ID of an ELF file, and whether it is stripped; undefined for other files. */
export function elfId(read: Read): { id: string | undefined; isStripped: boolean } | undefined {
  const head = read(0, 64);
  if (head.length < 64 || head.readUInt32BE(0) !== 0x7f454c46 || head[5] !== 1) return undefined;
  const isWide = head[4] === 2;
  const readOffset = (bytes: Buffer, at: number) =>
    isWide ? Number(bytes.readBigUInt64LE(at)) : bytes.readUInt32LE(at);
  const at = isWide ? 58 : 46;
  const size = head.readUInt16LE(at);
  const count = head.readUInt16LE(at + 2);
  const table = read(readOffset(head, isWide ? 40 : 32), size * count);
  let id: string | undefined;
  let isStripped = true;
  for (let index = 0; index < count && size >= (isWide ? 64 : 40) && (index + 1) * size <= table.length; index++) {
    const entry = table.subarray(index * size, (index + 1) * size);
    const type = entry.readUInt32LE(4);
    if (type === 2) isStripped = false;
    if (type !== 7 || id !== undefined) continue;
    const notes = read(readOffset(entry, isWide ? 24 : 16), Math.min(readOffset(entry, isWide ? 32 : 20), 65_536));
    for (let note = 0; note + 12 <= notes.length; ) {
      const content = note + 12 + Math.ceil(notes.readUInt32LE(note) / 4) * 4;
      const length = notes.readUInt32LE(note + 4);
      const isBuildId = notes.readUInt32LE(note + 8) === 3 && notes.toString('latin1', note + 12, note + 15) === 'GNU';
      if (isBuildId && content + length <= notes.length) id = breakpadId(notes.subarray(content, content + length));
      note = content + Math.ceil(length / 4) * 4;
    }
  }
  return { id, isStripped };
}

/** The server identifies mappings and source maps by their content. */
const contentId = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 32);

/** Detects symbols by content, then by name. Returns a reason for symbol files that are unusable. */
function recognize(file: string): SymbolFile | SkippedFile | undefined {
  const name = path.basename(file);
  return withFile(file, (read) => {
    const mach = machIds(read);
    if (mach !== undefined) return { file, type: 'Apple', ids: mach };
    const elf = elfId(read);
    if (elf !== undefined) {
      if (!elf.id)
        return {
          file,
          reason: "No build ID, so crash reports can't be matched to this file. Link with -Wl,--build-id.",
        };
      return elf.isStripped
        ? { file, reason: 'Stripped. Upload the unstripped file.' }
        : { file, type: 'Breakpad', ids: [elf.id] };
    }
    const start = read(0, 4096).toString('utf8');
    const [, id] = /^MODULE \S+ \S+ ([0-9A-Fa-f]{33,40}) /.exec(start) ?? [];
    if (id) return { file, type: 'Breakpad', ids: [id.toUpperCase()] };
    if (/[.]appxsym$/i.test(name)) return { file, type: 'UWP', ids: [] };
    if (/[.]map$/i.test(name) && /^\s*\{/.test(start)) return { file, type: 'JavaScript', ids: [contentId(file)] };
    if (/^mapping.*[.]txt$/i.test(name)) return { file, type: 'AndroidProguard', ids: [contentId(file)] };
    return undefined;
  });
}

/** Large folders without symbols of the app. */
const skippedFolders = new Set(['node_modules', '.git', '.gradle']);
const MAX_FILES = 200_000;

/** Finds symbols in files and folders. Executables in bundles are skipped in favor of their dSYMs. */
export function findSymbolFiles(places: readonly string[]): { symbolFiles: SymbolFile[]; skipped: SkippedFile[] } {
  const symbolFiles: SymbolFile[] = [];
  const skipped: SkippedFile[] = [];
  let looked = 0;
  const visit = (file: string, isNamed: boolean): void => {
    looked += 1;
    if (looked > MAX_FILES)
      throw wrongUsage(`Too many files: more than ${MAX_FILES}. Pass the folder that contains the symbols.`);
    const match = recognize(file);
    if (!match) {
      if (isNamed) skipped.push({ file, reason: 'Contains no known kind of symbols.' });
      return;
    }
    if ('reason' in match) {
      skipped.push(match);
      return;
    }
    // An executable has the same ID as its dSYM, but fewer symbols.
    if (match.type === 'Apple' && !isNamed && !file.includes('.dSYM/')) return;
    if (match.type === 'Apple' && match.ids.length === 0)
      skipped.push({ file, reason: "No UUID, so crash reports can't be matched to this file." });
    else symbolFiles.push(match);
  };
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    )) {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skippedFolders.has(entry.name)) walk(full);
      } else if (entry.isFile()) visit(full, false);
    }
  };
  for (const place of places) {
    let isFolder: boolean;
    try {
      isFolder = statSync(place).isDirectory();
    } catch (error) {
      throw wrongUsage(`Can't read ${place}: ${(error as Error).message}`);
    }
    if (isFolder) walk(place);
    else visit(place, true);
  }
  return { symbolFiles, skipped };
}
