/** The fields of npm's lock files that are used here. */
export interface LockEntry {
  version?: string;
  integrity?: string;
  optional?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  peer?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  [field: string]: unknown;
}
export type LockEntries = Record<string, LockEntry>;

/** Resolves a package like Node: from a folder, or from a folder above it. */
function findEntry(entries: LockEntries, from: string, name: string): string | undefined {
  const parts = from === '' ? [] : from.split('/node_modules/');
  for (let depth = parts.length; depth >= 0; depth--) {
    const folder = [...parts.slice(0, depth), name].join('/node_modules/');
    const place = folder.startsWith('node_modules/') ? folder : `node_modules/${folder}`;
    if (entries[place]) return place;
  }
  return undefined;
}

/**
 * The lock file entries of some packages and of all their dependencies, each once; throws if a dependency is missing.
 */
export function lockedPart(entries: LockEntries, names: readonly string[]): LockEntries {
  const part: LockEntries = {};
  const visit = (from: string, name: string, isOptional: boolean): void => {
    const place = findEntry(entries, from, name);
    const entry = place === undefined ? undefined : entries[place];
    if (place === undefined || !entry) {
      if (isOptional) return;
      throw new Error(`package-lock.json does not pin ${name}${from ? `, which ${from} needs` : ''}.`);
    }
    if (part[place]) return;
    const { dev: _dev, devOptional: _devOptional, peer: _peer, ...pinned } = entry;
    part[place] = pinned;
    const peers = Object.keys(entry.peerDependencies ?? {});
    const isOptionalPeer = (peer: string) => entry.peerDependenciesMeta?.[peer]?.optional === true;
    for (const need of Object.keys(entry.dependencies ?? {})) visit(place, need, false);
    for (const need of Object.keys(entry.optionalDependencies ?? {})) visit(place, need, true);
    for (const need of peers.filter((peer) => !isOptionalPeer(peer))) visit(place, need, false);
  };
  for (const name of names) visit('', name, false);
  return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
}
