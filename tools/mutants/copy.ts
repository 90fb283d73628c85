import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** Tests of these projects need no other program than the ones that they start themselves. */
const config = `import base from './vitest.config.ts';

const wanted = ['pure', 'server'];
const projects = (base.test?.projects ?? []) as { test: { name: string; testTimeout?: number; hookTimeout?: number } }[];
// Mutants are tried beside other work: a test that only takes longer then, such as one that starts a process, has not failed.
const patient = ({ testTimeout = 5_000, hookTimeout = 10_000 }) => ({ testTimeout: 6 * testTimeout, hookTimeout: 6 * hookTimeout });
export default {
  ...base,
  test: {
    ...base.test,
    projects: projects
      .filter(({ test }) => wanted.includes(test.name))
      // What a file loads shall have the mutant in it that is on now.
      .map(({ test }) => ({ test: { ...test, ...patient(test), isolate: true, setupFiles: ['tools/mutants/hits.ts'] } })),
  },
};
`;

/** A copy of the checkout in which mutants are put, and that is gone afterwards. What is not committed yet is in it too. */
export function copyCheckout(): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-mutants-'));
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' });
  for (const file of listed.split('\0').filter(Boolean)) {
    cpSync(path.join(root, file), path.join(folder, file), { recursive: true, force: true });
  }
  linkModules(folder);
  writeFileSync(path.join(folder, 'vitest.mutants.config.ts'), config);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Packages are those of the checkout, but our own are those of the copy. */
function linkModules(folder: string): void {
  const own = '@mooring';
  const target = path.join(folder, 'node_modules');
  mkdirSync(path.join(target, own), { recursive: true });
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (name !== own && !name.startsWith('.'))
      symlinkSync(path.join(root, 'node_modules', name), path.join(target, name));
  }
  for (const name of readdirSync(path.join(folder, 'packages'))) {
    symlinkSync(path.join(folder, 'packages', name), path.join(target, own, name));
  }
}
