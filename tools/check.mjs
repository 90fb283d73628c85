// `npm run verify`: everything that needs no database. `npm test`: that and every suite.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from './programs.mjs';
import { ensureConsoleBuilt, ensureInstalled, environment, node, root } from './setup.mjs';

const everything = process.argv[2] === 'all';
const bin = (name) => path.join(root, 'node_modules/.bin', name);
const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs';

ensureInstalled();
const folder = mkdtempSync(path.join(tmpdir(), 'mooring-check-'));
const counts = path.join(folder, 'counts');
let passed = 0;
let failed = 0;
let skipped = 0;

function step(what, command, args) {
  process.stdout.write(`\n▸ ${what}\n`);
  const start = performance.now();
  const { status } = spawnSync(command, args, {
    cwd: root,
    env: { ...environment, MOORING_TEST_COUNTS: counts },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`  ${status === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`);
  return status === 0;
}

function check(what, command, args) {
  if (step(what, command, args)) passed += 1;
  else failed += 1;
}

/** A suite counts by its tests; one that ends without saying how many counts as a failure. */
function suite(projects, options = []) {
  rmSync(counts, { force: true });
  const args = projects.flatMap((project) => ['--project', project]);
  const ok = step(`tests: ${projects.join(', ')}`, node, [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...args,
    ...options,
  ]);
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

check('format and lint', bin('biome'), ['ci', '--error-on-warnings', '.']);
check('types', bin('tsc'), ['-p', '.']);
check('types of the console', bin('tsc'), ['-p', 'packages/console']);
check('import law', node, [cruiser, '--config', '.dependency-cruiser.mjs', 'packages', 'acceptance', 'bench', 'tools']);
check('generated files', node, ['tools/generate.ts', '--check']);
suite(['pure']);
if (everything) {
  ensureConsoleBuilt();
  suite(['server', 'acceptance', 'clients']);
  const browser = has('Chromium', 'browser') ? ['browser'] : [];
  const cluster = has('HAProxy', 'cluster') ? ['cluster'] : [];
  // They wait for most of their time, for leases, kills and pages: one more at a time than there are cores.
  suite(['faults', ...cluster, ...browser], ['--maxWorkers', String(availableParallelism() + 1)]);
}
rmSync(folder, { recursive: true, force: true });
if (skipped > 0) process.stdout.write(`\n${skipped} tests were left out, as this machine cannot run what they need.\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
