import type { EndpointInput, symbolUploads_create } from '@mooring/contract';

export type SymbolKind = EndpointInput<typeof symbolUploads_create>['body']['symbol_type'];

/** Only these types belong to a version and build; the others contain an ID. */
export const isVersioned = (kind: SymbolKind): boolean => kind === 'AndroidProguard' || kind === 'JavaScript';

/** Detects the symbol type by name and path; undefined for other files. */
export function detectSymbolKind(path: string, os: string): SymbolKind | undefined {
  if (/\.dSYM\/Contents\/Resources\/DWARF\/[^/]+$/.test(path)) return 'Apple';
  if (/\.(?:sym|so)$/i.test(path)) return 'Breakpad';
  if (/\.appxsym$/i.test(path)) return 'UWP';
  if (/(?:^|\/)[^/]*mapping[^/]*\.txt$/i.test(path)) return 'AndroidProguard';
  if (/\.map$/i.test(path)) return 'JavaScript';
  if (/\.zip$/i.test(path)) return os === 'Android' ? 'Breakpad' : os === 'Windows' ? 'UWP' : 'Apple';
  return undefined;
}
