import type { InputOf, symbolUploads_create } from '@mooring/contract';

export type SymbolKind = InputOf<typeof symbolUploads_create>['body']['symbol_type'];

/** Only these belong to one version and build; all others are found by an id that they hold. */
export const isOfVersion = (kind: SymbolKind): boolean => kind === 'AndroidProguard' || kind === 'JavaScript';

/** What a file is by its name and where it lies; undefined if it is nothing that symbols come in. */
export function kindOf(path: string, os: string): SymbolKind | undefined {
  if (/\.dSYM\/Contents\/Resources\/DWARF\/[^/]+$/.test(path)) return 'Apple';
  if (/\.(?:sym|so)$/i.test(path)) return 'Breakpad';
  if (/\.appxsym$/i.test(path)) return 'UWP';
  if (/(?:^|\/)[^/]*mapping[^/]*\.txt$/i.test(path)) return 'AndroidProguard';
  if (/\.map$/i.test(path)) return 'JavaScript';
  if (/\.zip$/i.test(path)) return os === 'Android' ? 'Breakpad' : os === 'Windows' ? 'UWP' : 'Apple';
  return undefined;
}
