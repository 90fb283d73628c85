// `npm run mutants -- <folder or files>`: puts mutants into a copy of the code, one at a time, and checks whether a
// test detects each.
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../test-support/postgres.ts';
import { copyCheckout, root } from './copy.ts';
import { instrument, type Mutant } from './instrument.ts';
import { findMutations } from './mutations.ts';
import { type Hit, planRuns, readHits } from './plan.ts';
import { createRunner, type TestRunner } from './pool.ts';
import { countDetected, writeFigures } from './report.ts';
import { sample } from './sample.ts';

const usage = `Usage: npm run mutants -- <folder or file>… [options]
  --sample <number>   number of mutants to test, 0 for all (default 60)
  --seed <text>       seed of the sample (default 1)
  --wide              run all tests, not only those near the mutants
  --tests <glob>      run only these tests; can be repeated
  --quick             skip tests on PostgreSQL
  --limit <seconds>   time limit; a mutant whose tests exceed it counts as detected (default 180)
  --write             write the results to docs/testing.md`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    wide: { type: 'boolean', default: false },
    tests: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
    limit: { type: 'string', default: '180' },
    write: { type: 'boolean', default: false },
  },
});
if (positionals.length === 0) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const relative = (file: string): string => path.relative(root, path.resolve(root, file));

/** Tables and migrations are data: a mutant in them breaks all tests. */
const isSource = (file: string): boolean =>
  !/\.(test|d)\.ts$/.test(file) && !/\/(migrations\/|tables\.ts|[^/]+\.(tables|world)\.ts)/.test(file);

function listSources(target: string): string[] {
  const name = relative(target);
  if (statSync(path.join(root, name)).isFile()) return [name];
  return globSync(`${name}/**/*.ts`, { cwd: root }).filter(isSource).sort();
}

/** All settings are tested together, regardless of their domain. */
const settingsTest = 'packages/server/src/config.test.ts';

/**
 * Tests in the folder or with an import from it; for a platform module of the server also the conformance tests; for a
 * folder with settings also theirs.
 */
function testsNear(targets: string[], sources: readonly string[]): string[] {
  const hasSettings = sources.some((file) => file.endsWith('.settings.ts'));
  const all = globSync(['packages/*/src/**/*.test.ts', 'packages/server/test/**/*.test.ts'], {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  });
  if (values.tests.length > 0) return globSync(values.tests, { cwd: root });
  if (values.wide) return all;
  const isIn = (file: string) => targets.some((target) => file === target || file.startsWith(`${target}/`));
  const isPlatform = targets.some((target) => /^packages[/]server[/]src[/](?!domains[/])/.test(target));
  return all.filter((test) => {
    if (test === settingsTest && hasSettings) return true;
    if (isIn(test) || (isPlatform && test.startsWith('packages/server/test/conformance/'))) return true;
    const imports = readFileSync(path.join(root, test), 'utf8').matchAll(/from '(\.[^']+)'/g);
    return imports.some(([, name = '']) => isIn(path.join(path.dirname(test), name)));
  });
}

type Outcome = 'tests' | 'types' | 'timed out' | 'survived' | 'unreached';

const limitMs = Number(values.limit) * 1000;

interface Trying {
  runner: TestRunner;
  hits: readonly Hit[];
  longestMs: number;
}

async function tryTests({ runner, hits, longestMs }: Trying, mutant: Mutant): Promise<Outcome> {
  const steps = planRuns(mutant, hits);
  for (const tests of steps) {
    const outcome = await runner.run(mutant.id, { tests, untilFailure: true }, longestMs);
    if (!outcome) return 'timed out';
    if (outcome.failures.length > 0) return 'tests';
  }
  return steps.length > 0 ? 'survived' : 'unreached';
}

/** Checks whether the type check detects a mutant that survived the tests. */
function tryTypes(folder: string, original: string, { file, start, end, after }: Mutant): boolean {
  const bytes = Buffer.from(original);
  const changed = Buffer.concat([bytes.subarray(0, start), Buffer.from(after || ';'), bytes.subarray(end)]);
  writeFileSync(path.join(folder, file), changed);
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  // Cached, so that the next run only checks changes.
  const incremental = ['--incremental', '--tsBuildInfoFile', path.join(folder, 'mutants-types')];
  const { status } = spawnSync(process.execPath, [tsc, '-p', '.', ...incremental], { cwd: folder });
  writeFileSync(path.join(folder, file), original);
  return status !== 0;
}

const oneLine = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, ' ');
  return flat.length > 90 ? `${flat.slice(0, 87)}…` : flat;
};
const show = ({ file, line, operator, before, after }: Mutant): string =>
  `${file}:${line}  ${operator}: ${oneLine(before)}  →  ${after ? oneLine(after) : '(removed)'}`;

async function main(): Promise<void> {
  const targets = positionals.map(relative);
  // Reads each file only once, because the checkout may change during the run.
  const sources = new Map(
    targets.flatMap(listSources).map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
  );
  let id = 0;
  const all = [...sources].flatMap(([file, source]) =>
    findMutations(source).map((mutation): Mutant => ({ ...mutation, file, id: id++ })),
  );
  const chosen = sample(all, Number(values.sample) || all.length, values.seed);
  const tests = testsNear(targets, [...sources.keys()]);
  say(
    `${all.length} mutants in ${sources.size} files; testing ${chosen.length} of them with ${tests.length} test files.`,
  );

  const { folder, remove } = copyCheckout();
  const postgres = process.env.MOORING_TEST_DATABASE_URL ? undefined : await startPostgres();
  const hitsFile = path.join(folder, 'mutants-hits');
  writeFileSync(hitsFile, '');
  const env = {
    MOORING_TEST_DATABASE_URL: postgres?.url('postgres'),
    ...process.env,
    MUTANTS_HITS: hitsFile,
    ...(values.quick ? { MUTANTS_QUICK: 'true' } : {}),
  };
  const runner = createRunner(folder, env);
  try {
    for (const [file, source] of sources) {
      const mutants = chosen.filter((mutant) => mutant.file === file);
      writeFileSync(path.join(folder, file), instrument(source, mutants));
    }
    const begun = performance.now();
    const baseline = await runner.run(
      -1,
      { tests: Object.fromEntries(tests.map((test) => [path.join(folder, test), []])), untilFailure: false },
      20 * limitMs,
    );
    if (!baseline || baseline.failures.length > baseline.failed.length) {
      throw new Error(`The tests can't run without mutants:\n${baseline?.failures.join('\n') ?? 'They timed out.'}`);
    }
    for (const failure of baseline.failures) say(`skipped, because it fails without mutants: ${failure}`);
    say(`${baseline.ran - baseline.failed.length} tests pass without mutants.`);
    const hits = readHits(hitsFile).filter(({ test }) => !baseline.failed.includes(test));
    // On a busy machine everything takes longer, and a timeout does not mean that a mutant was detected.
    const longestMs = Math.max(limitMs, performance.now() - begun);
    const outcomes = new Map<Outcome, Mutant[]>();
    for (const [n, mutant] of chosen.entries()) {
      const outcome = await tryTests({ runner, hits, longestMs }, mutant);
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), mutant]);
      if (outcome !== 'tests') say(`${n + 1}/${chosen.length} ${outcome}: ${show(mutant)}`);
    }
    runner.stop();
    const left = [...(outcomes.get('survived') ?? []), ...(outcomes.get('unreached') ?? [])];
    for (const [file, source] of sources) writeFileSync(path.join(folder, file), source);
    const byTypes = left.filter((mutant) => tryTypes(folder, sources.get(mutant.file) ?? '', mutant));
    const figures = {
      folder: targets.join(' '),
      date: new Date().toISOString().slice(0, 10),
      commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
      all: all.length,
      tried: chosen.length,
      byTests: outcomes.get('tests')?.length ?? 0,
      byTypes: byTypes.length,
      timedOut: outcomes.get('timed out')?.length ?? 0,
    };
    const survivors = left.filter((mutant) => !byTypes.includes(mutant));
    if (survivors.length > 0) say(`\nSurvived:\n${survivors.map(show).join('\n')}`);
    const share = Math.round((100 * countDetected(figures)) / figures.tried);
    say(
      `\n${figures.folder}: ${countDetected(figures)} of ${figures.tried} detected (${share}%), ${figures.byTests} by tests, ` +
        `${figures.byTypes} by types, ${figures.timedOut} timed out.`,
    );
    if (values.write) writeFigures(path.join(root, 'docs/testing.md'), figures);
  } finally {
    runner.stop();
    await postgres?.stop();
    remove();
  }
}

await main();
