import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that run longer than their size suggests, the longest first: a late start would leave other cores idle. */
const longest = [
  'acceptance/browser/pages.browser.test.ts',
  'acceptance/browser/app-pages.browser.test.ts',
  'acceptance/faults/telemetry.test.ts',
  'acceptance/browser/dialogs.browser.test.ts',
  'packages/server/test/contract/app-examples.test.ts',
  'packages/server/test/contract/other-examples.test.ts',
  'acceptance/clients/',
  'packages/server/test/contract/permissions.test.ts',
  'acceptance/faults/',
  'packages/server/test/contract/org-examples.test.ts',
  'acceptance/cluster/',
  'tools/regular-expressions.test.ts',
  'packages/runner/src/device-tests/test-job.test.ts',
  'packages/server/src/workers/workers.test.ts',
  'packages/runner/src/builds/build-job.test.ts',
];

const getRank = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex((part) => moduleId.includes(part));
  return rank < 0 ? longest.length : rank;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => getRank(a) - getRank(b));
  }
}
