// `npm run verify`: everything that needs no database. `npm test`: that and every suite.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from './programs.mjs';
import { ensureConsoleBuilt, ensureInstalled, environment, node, root } from './setup.mjs';

const everything = process.argv[2] === 'all';
const bin = (name) => path.join(root, 'node_modules/.bin', name);
/** Of what runs behind others, as `nice` has it. */
const BEHIND = 5;
const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs';

ensureInstalled();
const folder = mkdtempSync(path.join(tmpdir(), 'mooring-check-'));
let passed = 0;
let failed = 0;
let skipped = 0;

const options = (env = {}) => ({ cwd: root, env: { ...environment, ...env } });

function tell(isOk, start) {
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`  ${isOk ? 'ok' : 'FAILED'} (${seconds} s)\n`);
}

function check(what, command, args) {
  process.stdout.write(`\n▸ ${what}\n`);
  const start = performance.now();
  const { status } = spawnSync(command, args, { ...options(), stdio: ['ignore', 'inherit', 'inherit'] });
  tell(status === 0, start);
  if (status === 0) passed += 1;
  else failed += 1;
}

/**
 * A suite counts by its tests; one that ends without saying how many counts as a failure. One that runs behind others takes
 * what of the processors they leave, and is told of when it has ended.
 */
async function suite(projects, { more = [], isBehind = false } = {}) {
  const what = `tests: ${projects.join(', ')}`;
  const counts = path.join(folder, `${projects[0]}.json`);
  const printed = path.join(folder, `${projects[0]}.log`);
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...projects.flatMap((name) => ['--project', name]), ...more];
  const start = performance.now();
  if (!isBehind) process.stdout.write(`\n▸ ${what}\n`);
  const output = isBehind ? openSync(printed, 'w') : 'inherit';
  const child = spawn(node, args, { ...options({ MOORING_TEST_COUNTS: counts }), stdio: ['ignore', output, output] });
  if (isBehind && child.pid) setPriority(child.pid, BEHIND);
  const [status] = await once(child, 'close');
  if (isBehind) process.stdout.write(`\n▸ ${what}\n${readFileSync(printed, 'utf8')}`);
  tell(status === 0, start);
  const told = existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : { passed: 0, failed: 1, skipped: 0 };
  passed += told.passed;
  skipped += told.skipped;
  failed += told.failed || (status === 0 && told.passed > 0 ? 0 : 1);
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
await suite(['pure']);
if (everything) {
  ensureConsoleBuilt();
  const browser = has('Chromium', 'browser') ? ['browser'] : [];
  const cluster = has('HAProxy', 'cluster') ? ['cluster'] : [];
  // Those that start servers wait for much of their time, for leases, kills and pages: meanwhile the server's own tests compute.
  const behind = suite(['server'], { isBehind: true });
  await suite(['acceptance', 'clients', 'faults', ...cluster, ...browser]);
  await behind;
}
rmSync(folder, { recursive: true, force: true });
if (skipped > 0) process.stdout.write(`\n${skipped} tests were left out, as this machine cannot run what they need.\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
