// `npm run verify`: everything that needs no database. `npm test`: that and every suite.
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

/** Runs a step and tells how it went: at once as it goes, or all of it at its end where several run side by side. */
async function step(what, command, args, isAlone) {
  const title = `\n▸ ${what}\n`;
  if (isAlone) process.stdout.write(title);
  const start = performance.now();
  const running = spawn(command, args, {
    cwd: root,
    env: { ...environment, MOORING_TEST_COUNTS: counts },
    stdio: ['ignore', ...(isAlone ? ['inherit', 'inherit'] : ['pipe', 'pipe'])],
  });
  const said = [];
  for (const stream of [running.stdout, running.stderr]) stream?.on('data', (chunk) => said.push(chunk));
  const [status] = await once(running, 'close');
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const end = `  ${status === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`;
  process.stdout.write(isAlone ? end : `${title}${Buffer.concat(said)}${end}`);
  return status === 0;
}

/** Checks in the order given, beside other checks. */
async function check(...checks) {
  for (const [what, command, args] of checks) {
    if (await step(what, command, args, false)) passed += 1;
    else failed += 1;
  }
}

/** A suite counts by its tests; one that ends without saying how many counts as a failure. */
async function suite(...projects) {
  rmSync(counts, { force: true });
  const args = projects.flatMap((project) => ['--project', project]);
  const ok = await step(
    `tests: ${projects.join(', ')}`,
    node,
    ['node_modules/vitest/vitest.mjs', 'run', ...args],
    true,
  );
  const told = existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : { passed: 0, failed: 1, skipped: 0 };
  passed += told.passed;
  skipped += told.skipped;
  failed += told.failed || (ok && told.passed > 0 ? 0 : 1);
}

/** Whether a suite can run that needs a program: in CI it must be there, elsewhere one line says what was left out. */
function has(program, project) {
  if (findProgram(program)) return true;
  if (process.env.CI) failed += 1;
  process.stdout.write(`\nThe ${project} suite was left out: install ${program}.\n`);
  return false;
}

/** What was found the last time is kept, so that only what changed is looked at again. */
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
    ['import law', node, [cruiser, ...rules, 'packages', 'acceptance', 'bench', 'tools']],
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
if (skipped > 0) process.stdout.write(`\n${skipped} tests were left out, as this machine cannot run what they need.\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
