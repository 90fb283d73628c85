import { getPackageKind, kindsFor } from '@mooring/contract';
import type { DroppedFile } from '../symbols/dropped-files.ts';
import type { SymbolKind } from '../symbols/symbol-kinds.ts';
import { readArchiveNames } from './archive-names.ts';

/** The kind of a dropped file, by its content and name. */
export type Recognized =
  | { kind: 'package'; label: string; extension: string; systems: readonly string[] }
  | { kind: 'symbols'; label: string; symbolKind: SymbolKind }
  | { kind: 'tests'; label: string }
  | undefined;

export type KnownFile = DroppedFile & { as: NonNullable<Recognized> };

/** Enough for the header of every format, and for the first classes of a mapping. */
const HEAD_BYTES = 64 * 1024;

const startsWith = (bytes: Uint8Array, ...signature: number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte);

const isZip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x50, 0x4b, 0x03, 0x04);
const isElf = (bytes: Uint8Array): boolean => startsWith(bytes, 0x7f, 0x45, 0x4c, 0x46);
/** Mach-O, 32 and 64 bits, and files with several architectures. */
const isMachO = (bytes: Uint8Array): boolean =>
  [
    [0xfe, 0xed, 0xfa, 0xce],
    [0xfe, 0xed, 0xfa, 0xcf],
    [0xce, 0xfa, 0xed, 0xfe],
    [0xcf, 0xfa, 0xed, 0xfe],
    [0xca, 0xfe, 0xba, 0xbe],
  ].some((signature) => startsWith(bytes, ...signature));

const mapping: Recognized = { kind: 'symbols', label: 'R8 or ProGuard mapping', symbolKind: 'AndroidProguard' };
const sourceMap: Recognized = { kind: 'symbols', label: 'Source map', symbolKind: 'JavaScript' };
const dsym: Recognized = { kind: 'symbols', label: 'dSYM', symbolKind: 'Apple' };
const breakpad: Recognized = { kind: 'symbols', label: 'Native symbols', symbolKind: 'Breakpad' };

/** A package by its extension, with the operating systems that it may be for. */
function toPackage(name: string): Recognized {
  const kind = getPackageKind(name);
  if (!kind) return undefined;
  const systems = Object.entries(kindsFor)
    .filter(([, kinds]) => kinds.includes(kind))
    .map(([os]) => os);
  return { kind: 'package', label: `Package (.${kind})`, extension: kind, systems };
}

/** An archive by the files in it: its name says little. */
function recognizeArchive(name: string, names: readonly string[]): Recognized {
  const has = (pattern: RegExp) => names.some((one) => pattern.test(one));
  if (has(/\.dSYM\/Contents\//)) return dsym;
  if (has(/^AndroidManifest\.xml$/)) return toPackage(/\.(apk|aab)$/i.test(name) ? name : 'app.apk');
  if (has(/^base\/manifest\/AndroidManifest\.xml$/)) return toPackage('app.aab');
  if (has(/^Payload\/[^/]+\.app\//)) return toPackage('app.ipa');
  if (has(/\.app\/Contents\/Info\.plist$/)) return toPackage('x.app.zip');
  if (names.length > 0 && names.every((one) => /\/$|\.(so|sym|debug)$/i.test(one))) return breakpad;
  if (has(/\.pdb$/i)) return { kind: 'symbols', label: 'PDB symbols', symbolKind: 'UWP' };
  return toPackage(name);
}

function recognizeText(name: string, text: string): Recognized {
  const start = text.trimStart();
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<testsuites?[\s>/]/.test(start))
    return { kind: 'tests', label: 'JUnit report' };
  if (start.startsWith('MODULE ')) return breakpad;
  if (/^# (compiler: R8|pg_map_id)/m.test(start) || /^[\w.$]+ -> [\w.$]+:\s*$/m.test(start)) return mapping;
  if (start.startsWith('{') && /"version"\s*:\s*3\b/.test(start) && /"(mappings|sources|sections)"/.test(start))
    return sourceMap;
  return /\.map$/i.test(name) && start.startsWith('{') ? sourceMap : undefined;
}

/** Recognizes a file. Reads its beginning, and of an archive its list of files. */
export async function recognize(file: File, path = file.name): Promise<Recognized> {
  // Files of a dropped dSYM folder.
  if (/\.dSYM\/Contents\/Resources\/DWARF\/[^/]+$/.test(path)) return dsym;
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (isZip(head)) return recognizeArchive(file.name, await readArchiveNames(file));
  if (isElf(head)) return /\.appimage$/i.test(file.name) ? toPackage(file.name) : breakpad;
  if (isMachO(head)) return dsym;
  // Text has no zero bytes.
  if (!head.includes(0)) {
    const found = recognizeText(file.name, new TextDecoder().decode(head));
    if (found) return found;
  }
  return getPackageKind(file.name) === 'zip' ? undefined : toPackage(file.name);
}
