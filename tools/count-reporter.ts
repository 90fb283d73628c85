import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

const root = path.join(import.meta.dirname, '..');

/** Tests that compare with a program that exists for only one platform. */
const singlePlatform: Record<string, string> = { 'packages/server/test/breakpad/breakpad.test.ts': 'linux-x64' };

/** Tests may be skipped if their tool is missing, but not in CI, which installs all tools. */
export function mustRun(file: string, { CI }: NodeJS.ProcessEnv, platform: string): boolean {
  return Boolean(CI) && (singlePlatform[file] ?? platform) === platform;
}

const getFile = ({ module }: TestCase): string => path.relative(root, module.moduleId).replaceAll(path.sep, '/');

/** Writes the numbers of passed, failed and skipped tests to the file in `MOORING_TEST_COUNTS`, for the summary. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = process.env.MOORING_TEST_COUNTS;
    if (!counts) return;
    let passed = 0;
    let failed = errors.length;
    let skipped = 0;
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state !== 'skipped') failed += 1;
        else if (mustRun(getFile(test), process.env, `${process.platform}-${process.arch}`)) {
          failed += 1;
          process.stdout.write(`Skipped, which counts as a failure in CI: ${getFile(test)} > ${test.fullName}\n`);
        } else skipped += 1;
      }
    }
    appendFileSync(counts, `${JSON.stringify({ passed, failed, skipped })}\n`);
  }
}
