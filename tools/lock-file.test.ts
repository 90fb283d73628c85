import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  version?: string;
  os?: string[];
  cpu?: string[];
  resolved?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}

type Packages = Record<string, LockedPackage>;

const PLATFORMS = [
  { os: 'linux', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
];

/** Packages for a single system, by design. */
const SINGLE_SYSTEM = new Set(['fsevents']);

function locked(packages: Packages, parent: string, name: string): LockedPackage | undefined {
  return packages[`${parent}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
}

const allows = (list: string[] | undefined, value: string) => list === undefined || list.includes(value);

/** Names each package whose binary for a supported platform is missing from the lock file. */
function missingBinaries(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([at, { version, os, cpu, optionalDependencies = {} }]) => {
    // A binary may need a further one for its own system.
    if (os || cpu) return [];
    const names = Object.keys(optionalDependencies).filter((name) => !SINGLE_SYSTEM.has(name));
    const absent = names.filter((name) => !locked(packages, at, name));
    if (absent.length > 0) return absent.map((name) => `${at}@${version} lacks ${name}`);
    const binaries = names.map((name) => locked(packages, at, name)).filter((entry) => entry?.os || entry?.cpu);
    if (binaries.length === 0) return [];
    return PLATFORMS.filter(
      ({ os, cpu }) => !binaries.some((entry) => allows(entry?.os, os) && allows(entry?.cpu, cpu)),
    ).map(({ os, cpu }) => `${at}@${version} has no binary for ${os}-${cpu}`);
  });
}

const packages: Packages = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../package-lock.json'), 'utf8'),
).packages;

test('the lock file has every binary for Linux, macOS and Windows', () => {
  expect(missingBinaries(packages)).toEqual([]);
});

test('reports a platform that is missing from the lock file', () => {
  const { 'node_modules/@rolldown/binding-darwin-arm64': removed, ...others } = packages;
  expect(removed).toBeDefined();
  expect(missingBinaries(others)).toEqual([expect.stringContaining('lacks @rolldown/binding-darwin-arm64')]);
});

test('reports a package that no longer supports a platform', () => {
  const at = 'node_modules/example';
  const onlyLinux = {
    [at]: { version: '1.0.0', optionalDependencies: { 'example-linux': '1.0.0' } },
    'node_modules/example-linux': { os: ['linux'], cpu: ['x64', 'arm64'] },
  };
  expect(missingBinaries(onlyLinux)).toEqual([
    `${at}@1.0.0 has no binary for darwin-x64`,
    `${at}@1.0.0 has no binary for darwin-arm64`,
    `${at}@1.0.0 has no binary for win32-x64`,
  ]);
});

test('the lock file contains no download URLs', () => {
  const addresses = Object.values(packages).filter(({ resolved, link }) => resolved !== undefined && !link);
  expect(addresses).toEqual([]);
});
