import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** Runs only projects whose tests start all programs that they need. */
const config = `import base from './vitest.config.ts';

const names = ['pure', 'server'];
const projects = (base.test?.projects ?? []) as { test: { name: string; testTimeout?: number; hookTimeout?: number } }[];
// The machine may be busy: a test that is only slow, such as one that starts a process, must not count as failed.
const extendTimeouts = ({ testTimeout = 5_000, hookTimeout = 10_000 }) => ({ testTimeout: 6 * testTimeout, hookTimeout: 6 * hookTimeout });
export default {
  ...base,
  test: {
    ...base.test,
    projects: projects
      .filter(({ test }) => names.includes(test.name))
      // Isolated, so that each file loads the code with the current mutant.
      .map(({ test }) => ({ test: { ...test, ...extendTimeouts(test), isolate: true, setupFiles: ['tools/mutants/hits.ts'] } })),
  },
};
`;

/** A temporary copy of the checkout to put mutants in. Includes uncommitted changes. */
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

/** Links dependencies to the checkout, and workspace packages to the copy. */
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
