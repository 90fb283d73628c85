// Prepares a fresh clone before anything else runs. Plain JavaScript: it must run on the Node that came with npm.
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

/** The pinned Node, which runs everything except these few scripts. */
export const node = at('node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Tools find the pinned Node first, and compiled code is cached between starts. */
export const environment = {
  ...process.env,
  PATH: [at('node_modules/node/bin'), at('node_modules/.bin'), process.env.PATH].join(path.delimiter),
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? at('node_modules/.cache/node'),
  // Fewer malloc arenas for few threads save some megabytes on Linux.
  MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
};

/** Packages with programs that the scripts run. */
const programPackages = { biome: '@biomejs/biome', tsc: 'typescript', vitest: 'vitest' };

/**
 * The JavaScript file of a program, for Node to run. Files in node_modules/.bin differ by system: on Windows they are
 * .cmd files, which need a shell.
 */
export function programFile(name) {
  const folder = at('node_modules', programPackages[name] ?? name);
  if (!existsSync(folder)) refuse(`Unknown program: node_modules has no package ${name}.`);
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

/** Does the work unless a stamp file shows that it was done for exactly these files. */
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
    `${what} failed${error ? `: ${error.message}` : ''}. Fix the error above and run the command again.\n`,
  );
  process.exit(1);
}

function npm(what, args, folder) {
  const command = process.env.npm_execpath;
  const all = [...args, '--no-audit', '--no-fund', '--loglevel=error'];
  // The Node of this process may be the pinned one, which `npm ci` deletes when the lock file has changed.
  if (command?.endsWith('.js') && existsSync(process.execPath))
    run(what, process.execPath, [command, ...all], { cwd: folder });
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

/** Downloads Node for this platform, and installs it only if its hash is the pinned one. */
function installRuntime(runtime) {
  const { name, version, program, sha256 } = runtime;
  const draft = mkdtempSync(at('node_modules/.mooring-node-'));
  writeFileSync(path.join(draft, 'package.json'), '{}');
  const args = ['install', '--no-save', '--ignore-scripts', '--prefix', draft, `${name}@${version}`];
  npm(`Downloading Node ${version}`, args, draft);
  const fetched = path.join(draft, 'node_modules', name, program);
  if (!isPinned(fetched, runtime)) {
    rmSync(draft, { recursive: true, force: true });
    refuse(
      `npm downloaded ${name}@${version}, but its Node does not have the SHA-256 that Mooring pins (${sha256}).\n` +
        'The file was deleted without being run. Ask the administrator of the npm registry or mirror for the original package, then run the command again.',
    );
  }
  mkdirSync(path.dirname(node), { recursive: true });
  renameSync(fetched, node);
  rmSync(draft, { recursive: true, force: true });
}

/** Lists the installed packages whose scripts must run. */
function packagesWithScripts() {
  const { allowScripts } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  return Object.keys(allowScripts).filter((name) => allowScripts[name] && existsSync(at('node_modules', name)));
}

/**
 * Installs the packages in the lock file, if they are missing or outdated. No package script runs before the Node that
 * runs it is verified.
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

/** Installs a client for the tests in its own folder with its own lock file; none of its scripts runs. */
export function ensureClientInstalled(folder, install = ['ci', '--ignore-scripts']) {
  const files = [at(folder, 'package.json'), at(folder, 'package-lock.json')];
  once(at(folder, 'node_modules/.mooring-installed'), files, true, () =>
    npm(`Installing the client in ${folder}`, install, at(folder)),
  );
}

/** Builds the console if its sources have changed since the last build. */
export function ensureConsoleBuilt() {
  const folder = at('packages/console');
  const files = [...filesBelow(folder), ...filesBelow(at('packages/contract/src')), at('package-lock.json')];
  once(path.join(folder, 'dist/.built'), files, existsSync(path.join(folder, 'dist/index.html')), () => {
    const args = [at('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'];
    run('Building the console', node, args, { cwd: folder, env: environment });
  });
}

/** Options for the server's Node. Half of Node's default space for young objects is as fast, and saves 20 MB under load. */
export const serverFlags = JSON.parse(readFileSync(at('packages/server/package.json'), 'utf8')).config.flags;

/** Compiles the server once in a separate process, so that the server itself needs neither the time nor the memory. */
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
