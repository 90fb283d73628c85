// `npm run mutants -- <folder or files>`: makes slips in a copy of the code, one at a time, and looks whether a test notices.
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../postgres.ts';
import { copyCheckout, root } from './copy.ts';
import { instrument, type Mutant } from './instrument.ts';
import { findMutations } from './mutations.ts';
import { type Hit, planRuns, readHits } from './plan.ts';
import { createRunner, type TestRunner } from './pool.ts';
import { noticed, writeFigures } from './report.ts';
import { sample } from './sample.ts';

const usage = `Usage: npm run mutants -- <folder or file>… [--sample 60] [--seed 1] [--wide] [--tests <glob>…] [--quick] [--limit 180] [--write]
  --sample  how many mutants; 0 for all     --wide   look among all tests, not only those near by
  --seed    another seed, another sample    --tests  look among these tests
  --quick   look among tests over SQLite only
  --limit   seconds after which tests that do not end count as noticing     --write  put the figures into docs/testing.md`;

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

/** Tables and migrations are data: a slip in them is a slip in every test. */
const isSource = (file: string): boolean =>
  !/\.(test|d)\.ts$/.test(file) && !/\/(migrations\/|tables\.ts|[^/]+\.(tables|world)\.ts)/.test(file);

function sourcesOf(given: string): string[] {
  const name = relative(given);
  if (statSync(path.join(root, name)).isFile()) return [name];
  return globSync(`${name}/**/*.ts`, { cwd: root }).filter(isSource).sort();
}

/** All settings are tested together, whoever declares them. */
const settingsTest = 'packages/server/src/config.test.ts';

/**
 * Tests that lie in the folder or import something out of it; of a platform room, also those of all rooms together; of what
 * has settings, also theirs.
 */
function testsNear(targets: string[], sources: readonly string[]): string[] {
  const hasSettings = sources.some((file) => file.endsWith('.settings.ts'));
  const all = globSync('packages/server/{src,test}/**/*.test.ts', { cwd: root });
  if (values.tests.length > 0) return globSync(values.tests, { cwd: root });
  if (values.wide) return all;
  const isIn = (file: string) => targets.some((target) => file === target || file.startsWith(`${target}/`));
  const isPlatform = targets.some((target) => !target.includes('/domains/'));
  return all.filter((test) => {
    if (test === settingsTest && hasSettings) return true;
    if (isIn(test) || (isPlatform && test.startsWith('packages/server/test/'))) return true;
    const imports = readFileSync(path.join(root, test), 'utf8').matchAll(/from '(\.[^']+)'/g);
    return imports.some(([, name = '']) => isIn(path.join(path.dirname(test), name)));
  });
}

type Fate = 'tests' | 'types' | 'never ended' | 'survived' | 'unreached';

const limitMs = Number(values.limit) * 1000;

interface Trying {
  runner: TestRunner;
  hits: readonly Hit[];
  longestMs: number;
}

async function tryTests({ runner, hits, longestMs }: Trying, mutant: Mutant): Promise<Fate> {
  const steps = planRuns(mutant, hits);
  for (const tests of steps) {
    const outcome = await runner.run(mutant.id, { tests, untilFailure: true }, longestMs);
    if (!outcome) return 'never ended';
    if (outcome.failures.length > 0) return 'tests';
  }
  return steps.length > 0 ? 'survived' : 'unreached';
}

/** Whether the type check notices what the tests did not. */
function tryTypes(folder: string, original: string, { file, start, end, after }: Mutant): boolean {
  const bytes = Buffer.from(original);
  const changed = Buffer.concat([bytes.subarray(0, start), Buffer.from(after || ';'), bytes.subarray(end)]);
  writeFileSync(path.join(folder, file), changed);
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  // What it found out is kept, so that the next time it looks only at what changed.
  const kept = ['--incremental', '--tsBuildInfoFile', path.join(folder, 'mutants-types')];
  const { status } = spawnSync(process.execPath, [tsc, '-p', '.', ...kept], { cwd: folder });
  writeFileSync(path.join(folder, file), original);
  return status !== 0;
}

const oneLine = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, ' ');
  return flat.length > 90 ? `${flat.slice(0, 87)}…` : flat;
};
const show = ({ file, line, operator, before, after }: Mutant): string =>
  `${file}:${line}  ${operator}: ${oneLine(before)}  →  ${after ? oneLine(after) : '(left out)'}`;

async function main(): Promise<void> {
  const targets = positionals.map(relative);
  // Read once: whoever runs this may go on writing.
  const sources = new Map(
    targets.flatMap(sourcesOf).map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
  );
  let id = 0;
  const all = [...sources].flatMap(([file, source]) =>
    findMutations(source).map((mutation): Mutant => ({ ...mutation, file, id: id++ })),
  );
  const chosen = sample(all, Number(values.sample) || all.length, values.seed);
  const tests = testsNear(targets, [...sources.keys()]);
  say(
    `${all.length} mutants in ${sources.size} files, ${chosen.length} of them to be tried by ${tests.length} test files.`,
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
    const asIs = await runner.run(
      -1,
      { tests: Object.fromEntries(tests.map((test) => [path.join(folder, test), []])), untilFailure: false },
      20 * limitMs,
    );
    if (!asIs || asIs.failures.length > asIs.failed.length) {
      throw new Error(`The tests cannot be run as it is:\n${asIs?.failures.join('\n') ?? 'they never ended'}`);
    }
    for (const failure of asIs.failures) say(`left out, as it fails without any mutant: ${failure}`);
    say(`${asIs.ran - asIs.failed.length} tests pass as it is.`);
    const hits = readHits(hitsFile).filter(({ test }) => !asIs.failed.includes(test));
    // On a busy machine everything takes longer, and what is slow has not noticed anything.
    const longestMs = Math.max(limitMs, performance.now() - begun);
    const fates = new Map<Fate, Mutant[]>();
    for (const [n, mutant] of chosen.entries()) {
      const fate = await tryTests({ runner, hits, longestMs }, mutant);
      fates.set(fate, [...(fates.get(fate) ?? []), mutant]);
      if (fate !== 'tests') say(`${n + 1}/${chosen.length} ${fate}: ${show(mutant)}`);
    }
    runner.stop();
    const left = [...(fates.get('survived') ?? []), ...(fates.get('unreached') ?? [])];
    for (const [file, source] of sources) writeFileSync(path.join(folder, file), source);
    const byTypes = left.filter((mutant) => tryTypes(folder, sources.get(mutant.file) ?? '', mutant));
    const figures = {
      folder: targets.join(' '),
      date: new Date().toISOString().slice(0, 10),
      commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
      all: all.length,
      tried: chosen.length,
      byTests: fates.get('tests')?.length ?? 0,
      byTypes: byTypes.length,
      timedOut: fates.get('never ended')?.length ?? 0,
    };
    const survivors = left.filter((mutant) => !byTypes.includes(mutant));
    if (survivors.length > 0) say(`\nNobody noticed:\n${survivors.map(show).join('\n')}`);
    const share = Math.round((100 * noticed(figures)) / figures.tried);
    say(
      `\n${figures.folder}: ${noticed(figures)} of ${figures.tried} noticed (${share} %), ${figures.byTests} by tests, ` +
        `${figures.byTypes} by types, ${figures.timedOut} never ended.`,
    );
    if (values.write) writeFigures(path.join(root, 'docs/testing.md'), figures);
  } finally {
    runner.stop();
    await postgres?.stop();
    remove();
  }
}

await main();
