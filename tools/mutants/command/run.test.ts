import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');

const files = {
  '.gitignore': 'node_modules\n',
  'package.json': JSON.stringify({ type: 'module' }),
  'tsconfig.json': readFileSync(path.join(root, 'tsconfig.json'), 'utf8'),
  'vitest.config.ts': `export default { test: { projects: [
    { test: { name: 'pure', include: ['packages/**/*.test.ts'], testTimeout: 1000 } },
  ] } };`,
  'docs/testing.md': 'Figures:\n<!-- mutants -->\n<!-- /mutants -->\n',
  'packages/server/src/ages.ts': `export const isGrown = (age: number): boolean => age >= 18;
export function nameOf(name: string | undefined): string {
  return name ?? 'nobody';
}
export function countDown(from: number): number {
  let left = from;
  while (left !== 0) left -= 1;
  return left;
}
`,
  'packages/server/src/ages.test.ts': `import { expect, test } from 'vitest';
import { countDown, isGrown, nameOf } from './ages.ts';
test('grown from eighteen on', () => expect([isGrown(17), isGrown(18)]).toEqual([false, true]));
test('has a name', () => expect(nameOf('ada')).toBe('ada'));
test('comes to an end', () => expect(countDown(3)).toBe(0));
`,
};

/** A checkout with one small source, its test, and this command. */
function smallCheckout(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-mutants-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of globSync(['test-support/postgres.ts', 'tools/mutants/*.ts'], { cwd: root })) {
    if (!name.endsWith('.test.ts')) cpSync(path.join(root, name), path.join(folder, name));
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'small');
  return folder;
}

test('the command lists surviving mutants, and writes the figures', { timeout: 300_000 }, () => {
  const folder = smallCheckout();
  const command = ['tools/mutants/run.ts', 'packages/server/src', '--sample', '0', '--limit', '20', '--write'];
  const { stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: folder,
    encoding: 'utf8',
    // No test here needs one, so none is started.
    env: { ...process.env, MOORING_TEST_DATABASE_URL: 'none' },
  });
  expect([stdout, stderr]).toEqual([expect.stringContaining('3 tests pass without mutants.'), expect.any(String)]);
  const [tried = '', survivors = ''] = stdout.split('Survived:\n');
  // Counting down by two passes zero; the type check detects a removed default, but no test detects a different one.
  expect(tried).toContain('timed out: packages/server/src/ages.ts:7  number: 1  →  2');
  expect(survivors.split('\n').slice(0, 2)).toEqual(["packages/server/src/ages.ts:3  code: 'nobody'  →  ''", '']);
  expect(survivors).toContain('9 of 10 detected (90%), 7 by tests, 1 by types, 1 timed out.');
  const figures = readFileSync(path.join(folder, 'docs/testing.md'), 'utf8');
  expect(figures).toContain('| `packages/server/src` | 90% | 10 of 10 | 7 | 1 | 1 |');
});
