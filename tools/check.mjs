// `npm run verify` runs all checks that need no database; `npm test` runs these and every suite.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from './programs.mjs';
import { ensureConsoleBuilt, ensureInstalled, environment, node, programFile, root } from './setup.mjs';

const everything = process.argv[2] === 'all';
const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs';

ensureInstalled();
const folder = mkdtempSync(path.join(tmpdir(), 'mooring-check-'));
const counts = path.join(folder, 'counts');
let passed = 0;
let failed = 0;
let skipped = 0;

/** Runs a step and prints its output: immediately or, if several run concurrently, at its end. */
async function step(title, command, args, isAlone) {
  const heading = `\n▸ ${title}\n`;
  if (isAlone) process.stdout.write(heading);
  const start = performance.now();
  const running = spawn(command, args, {
    cwd: root,
    env: { ...environment, MOORING_TEST_COUNTS: counts },
    stdio: ['ignore', ...(isAlone ? ['inherit', 'inherit'] : ['pipe', 'pipe'])],
  });
  const output = [];
  for (const stream of [running.stdout, running.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const [status] = await once(running, 'close');
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const end = `  ${status === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`;
  process.stdout.write(isAlone ? end : `${heading}${Buffer.concat(output)}${end}`);
  return status === 0;
}

/** Runs checks one after another; several sequences run in parallel. */
async function check(...checks) {
  for (const [title, command, args] of checks) {
    if (await step(title, command, args, false)) passed += 1;
    else failed += 1;
  }
}

/** Adds up the results of a suite. A suite that ends without counts has failed. */
async function suite(...projects) {
  rmSync(counts, { force: true });
  const args = projects.flatMap((project) => ['--project', project]);
  const ok = await step(
    `tests: ${projects.join(', ')}`,
    node,
    ['node_modules/vitest/vitest.mjs', 'run', ...args],
    true,
  );
  const summary = existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : { passed: 0, failed: 1, skipped: 0 };
  passed += summary.passed;
  skipped += summary.skipped;
  failed += summary.failed || (ok && summary.passed > 0 ? 0 : 1);
}

/** Checks that the program for a suite is installed. If not, CI fails, and other machines report the skipped suite. */
function has(program, project) {
  if (findProgram(program)) return true;
  if (process.env.CI) failed += 1;
  process.stdout.write(`\nSkipped the ${project} suite. Install ${program} to run it.\n`);
  return false;
}

/** Keeps the cache of the last run, so that only changed files are checked. */
const cache = (name) => path.join(root, 'node_modules/.cache/check', name);
const types = (folder, name) => [
  node,
  [programFile('tsc'), '-p', folder, '--incremental', '--tsBuildInfoFile', cache(name)],
];
const rules = ['--config', '.dependency-cruiser.mjs', '--cache', cache('imports'), '--cache-strategy', 'content'];

await Promise.all([
  check(
    ['types', ...types('.', 'types.tsbuildinfo')],
    ['types of the console', ...types('packages/console', 'console.tsbuildinfo')],
  ),
  check(
    ['dependency rules', node, [cruiser, ...rules, 'packages', 'acceptance', 'bench', 'tools', 'test-support']],
    ['lists of domains', node, ['tools/domain-lists.ts', '--check']],
    ['generated files', node, ['tools/generate.ts', '--check']],
    ['format and lint', node, [programFile('biome'), 'ci', '--error-on-warnings', '.']],
  ),
]);
await suite('pure');
if (everything) {
  ensureConsoleBuilt();
  await suite('server', 'acceptance', 'clients');
  const browser = has('Chromium', 'browser') ? ['browser'] : [];
  const cluster = has('HAProxy', 'cluster') ? ['cluster'] : [];
  await suite('faults', ...cluster, ...browser);
}
rmSync(folder, { recursive: true, force: true });
if (skipped > 0)
  process.stdout.write(`\nSkipped ${skipped} tests because their tools are not installed on this machine.\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
