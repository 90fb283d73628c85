import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes how many tests passed, failed and were left out to the file that `MOORING_TEST_COUNTS` names, for the closing line. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env.MOORING_TEST_COUNTS;
    if (!file) return;
    let passed = 0;
    let failed = errors.length;
    let skipped = 0;
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        // What a machine cannot show, as a program that is only built for others, says so and is not held against it.
        else if (state === 'skipped') skipped += 1;
        else failed += 1;
      }
    }
    appendFileSync(file, `${JSON.stringify({ passed, failed, skipped })}\n`);
  }
}
