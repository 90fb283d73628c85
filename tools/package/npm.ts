import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pinnedRuntime, platforms } from '../node-runtime.mjs';
import { ensureConsoleBuilt, root } from '../setup.mjs';
import { compiledName, compileModule, type EntryPoints } from './compile.ts';
import { type LockEntries, lockedPart } from './lock.ts';
import { output, run } from './run-program.ts';

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  engines: Record<string, string>;
  dependencies?: Record<string, string>;
  exports?: Record<string, string>;
}

const at = (...parts: string[]): string => path.join(root, ...parts);
const readJson = <T>(file: string): T => JSON.parse(readFileSync(at(file), 'utf8')) as T;
const find = (patterns: string[]): string[] => globSync(patterns, { cwd: root }).sort();

/** The packages that run on Node; the console is included as built files. */
const programs = ['cli', 'contract', 'runner', 'server'];
const manifests = programs.map((name) => readJson<Manifest>(`packages/${name}/package.json`));
const main = readJson<Manifest>('package.json');
export const { version } = main;

const isTest = (file: string): boolean =>
  /[.]test[.]ts$|[.]fixtures[.]ts$|\/fixtures([.]ts$|\/)|README[.]md$/.test(file);
const modules = find([`packages/{${programs}}/{src,bin}/**/*.{ts,mjs}`, 'tools/node-runtime.mjs']).filter(
  (file) => !isTest(file),
);
const others = [
  ...find([`packages/{${programs}}/package.json`, 'packages/runner/src/**/*.java', 'packages/server/assets/**/*.*']),
  ...find(['README.md', 'LICENSE', 'CHANGELOG.md', 'docs/*.md', 'docs/samples/*']),
];

const entryPoints: EntryPoints = Object.fromEntries(
  manifests.flatMap(({ name, exports = {} }, at) =>
    Object.entries(exports).map(([entry, file]) => [
      `${name}${entry.slice(1)}`,
      path.posix.join('packages', programs[at] ?? '', file),
    ]),
  ),
);

const dependencies: Record<string, string> = Object.fromEntries(
  manifests.flatMap(({ dependencies = {} }) => Object.entries(dependencies)).filter(([name]) => !entryPoints[name]),
);
/** The Node binaries for all platforms; npm installs the matching one, and runs no script. */
const runtimes = platforms.map((platform) => ({ platform, ...pinnedRuntime(platform) }));
const optionalDependencies = Object.fromEntries(runtimes.map(({ name, version }) => [name, version]));

export const packageManifest = {
  name: main.name,
  version,
  description: main.description,
  license: main.license,
  type: 'module',
  bin: { mooring: 'packages/cli/bin/mooring.mjs' },
  engines: main.engines,
  dependencies,
  optionalDependencies,
};

/** npm also applies it in an installed package: users get the tested versions, verified by their hashes. */
export function shrinkwrap(): { packages: LockEntries } & Record<string, unknown> {
  const { packages } = readJson<{ packages: LockEntries }>('package-lock.json');
  const nodes = runtimes.map(({ platform, name, version, integrity }) => {
    const [os = '', cpu = ''] = platform.split('-');
    return [`node_modules/${name}`, { version, integrity, cpu: [cpu], os: [os], optional: true }] as const;
  });
  const { name, license, engines, bin } = packageManifest;
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name, version, license, engines, bin, dependencies, optionalDependencies },
      ...lockedPart(packages, Object.keys(dependencies)),
      ...Object.fromEntries(nodes),
    },
  };
}

function write(folder: string, file: string, text: string): void {
  const to = path.join(folder, file);
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(to, text);
}

/** The package as files in a folder. */
export function stage(folder: string): void {
  ensureConsoleBuilt();
  rmSync(folder, { recursive: true, force: true });
  const known = new Set(modules);
  for (const file of modules)
    write(folder, compiledName(file), compileModule(file, readFileSync(at(file), 'utf8'), known, entryPoints));
  for (const file of others) cpSync(at(file), path.join(folder, file));
  cpSync(at('packages/console/dist'), path.join(folder, 'packages/console/dist'), {
    recursive: true,
    filter: (file) => !file.endsWith('.built'),
  });
  write(folder, 'package.json', `${JSON.stringify(packageManifest, null, 2)}\n`);
  write(folder, 'npm-shrinkwrap.json', `${JSON.stringify(shrinkwrap(), null, 2)}\n`);
}

/** Builds `mooring-<version>.tgz` in a folder, and returns its path. */
export function packForNpm(dist: string): string {
  const folder = path.join(dist, 'npm');
  stage(folder);
  const packed = output('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', dist], folder);
  rmSync(folder, { recursive: true });
  return path.join(dist, packed.trim().split('\n').at(-1) ?? '');
}

/** Installs the dependencies in the shrinkwrap into a folder for one platform, without running scripts of packages. */
export function installProduction(folder: string, cpu: string): void {
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['ci', ...flags, '--os=linux', `--cpu=${cpu}`, '--libc=glibc'], folder);
}
