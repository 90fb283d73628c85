// What a fresh clone needs before anything else runs. Plain JavaScript: it must run on the Node that npm came with.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPinned, pinnedRuntime } from './node-runtime.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => path.join(root, ...parts);

/** The pinned Node, which runs everything but these few scripts. */
export const node = at('node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Tools find the pinned Node first, and compiled code is kept between starts. */
export const environment = {
  ...process.env,
  PATH: [at('node_modules/node/bin'), at('node_modules/.bin'), process.env.PATH].join(path.delimiter),
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? at('node_modules/.cache/node'),
  // Fewer heaps for the few threads that there are: some megabytes less on Linux.
  MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
};

/** Packages whose programs the scripts run. */
const programPackages = { biome: '@biomejs/biome', tsc: 'typescript', vitest: 'vitest' };

/**
 * The JavaScript of a program, for Node to run. The files in node_modules/.bin differ by system: Windows has .cmd files
 * there, which only a shell starts.
 */
export function programFile(name) {
  const folder = at('node_modules', programPackages[name] ?? name);
  if (!existsSync(folder)) refuse(`${name} is not a program of this repository.`);
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return path.join(folder, typeof bin === 'string' ? bin : bin[name]);
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .flatMap((entry) => {
      const full = path.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(full) : [full];
    })
    .sort();
}

function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(path.relative(root, file)).update(readFileSync(file));
  return hash.digest('hex');
}

/** Does the work unless a stamp says that it was done for the very same files. */
function once(stamp, files, isThere, work) {
  const now = fingerprint(files);
  if (isThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return;
  work();
  writeFileSync(stamp, now);
}

function run(what, command, args, options = {}) {
  process.stdout.write(`${what}…\n`);
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
  });
  if (status === 0) return;
  process.stderr.write(
    `${what} failed${error ? `: ${error.message}` : ''}. Mend what is said above, then try again.\n`,
  );
  process.exit(1);
}

function npm(what, args, folder) {
  const command = process.env.npm_execpath;
  const all = [...args, '--no-audit', '--no-fund', '--loglevel=error'];
  if (command?.endsWith('.js')) run(what, process.execPath, [command, ...all], { cwd: folder });
  else run(what, 'npm', all, { cwd: folder, shell: process.platform === 'win32' });
}

function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function runtimeOrExit() {
  try {
    return pinnedRuntime(`${process.platform}-${process.arch}`);
  } catch (error) {
    return refuse(error.message);
  }
}

/** Fetches the Node of this platform, and puts it in place only if it is the one whose hash is pinned. */
function installRuntime(runtime) {
  const { name, version, program, sha256 } = runtime;
  const draft = mkdtempSync(at('node_modules/.mooring-node-'));
  writeFileSync(path.join(draft, 'package.json'), '{}');
  const args = ['install', '--no-save', '--ignore-scripts', '--prefix', draft, `${name}@${version}`];
  npm(`Fetching Node ${version}`, args, draft);
  const fetched = path.join(draft, 'node_modules', name, program);
  if (!isPinned(fetched, runtime)) {
    rmSync(draft, { recursive: true, force: true });
    refuse(
      `The Node that npm fetched as ${name}@${version} is not the one that Mooring pins (SHA-256 ${sha256}).\n` +
        'It was not run, and is removed. Ask whoever runs the registry or mirror that npm uses, then try again.',
    );
  }
  mkdirSync(path.dirname(node), { recursive: true });
  renameSync(fetched, node);
  rmSync(draft, { recursive: true, force: true });
}

/** The few packages whose own scripts have something to do, as far as they are for this platform. */
function packagesWithScripts() {
  const { allowScripts } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  return Object.keys(allowScripts).filter((name) => allowScripts[name] && existsSync(at('node_modules', name)));
}

/**
 * Installs the packages that the lock file pins, if they are missing or stale. No script of a package runs before the
 * Node that runs it has been checked.
 */
export function ensureInstalled() {
  const runtime = runtimeOrExit();
  const checked = at('node_modules/.mooring-node-checked');
  once(at('node_modules/.mooring-installed'), [at('package-lock.json')], existsSync(node), () => {
    rmSync(checked, { force: true });
    npm('Installing the packages in package-lock.json', ['ci', '--ignore-scripts'], root);
    if (!isPinned(node, runtime)) installRuntime(runtime);
    npm('Linking Node', ['rebuild', '--ignore-scripts', 'node'], root);
    const others = packagesWithScripts();
    if (others.length > 0) npm('Preparing packages', ['rebuild', ...others], root);
  });
  once(checked, [at('tools/node-runtime.mjs')], true, () => {
    if (!isPinned(node, runtime)) installRuntime(runtime);
  });
}

/** Installs a client that the tests run, in its own folder and by its own lock file; none of its scripts is run. */
export function ensureClientInstalled(folder, install = ['ci', '--ignore-scripts']) {
  const files = [at(folder, 'package.json'), at(folder, 'package-lock.json')];
  once(at(folder, 'node_modules/.mooring-installed'), files, true, () =>
    npm(`Installing the client in ${folder}`, install, at(folder)),
  );
}

/** Builds the console, if its sources have changed since it was built. */
export function ensureConsoleBuilt() {
  const folder = at('packages/console');
  const files = [...filesBelow(folder), ...filesBelow(at('packages/contract/src')), at('package-lock.json')];
  once(path.join(folder, 'dist/.built'), files, existsSync(path.join(folder, 'dist/index.html')), () => {
    const args = [at('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'];
    run('Building the console', node, args, { cwd: folder, env: environment });
  });
}

/** How Node runs the server. Room for young objects: half of Node's own choice, as fast, and 20 MB smaller under load. */
export const serverFlags = JSON.parse(readFileSync(at('packages/server/package.json'), 'utf8')).config.flags;

/** Compiles the server once, in a process of its own, so that the one that serves needs neither the time nor the memory. */
export function ensureServerCompiled() {
  const files = [
    ...filesBelow(at('packages/server/src')),
    ...filesBelow(at('packages/contract/src')),
    at('package-lock.json'),
  ];
  once(at('node_modules/.mooring-compiled'), files, true, () => {
    const args = [...serverFlags, '--input-type=module', '--eval', "await import('./packages/server/src/app.ts')"];
    run('Compiling the server', node, args, { env: environment });
  });
}
