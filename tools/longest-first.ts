import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than their size tells, the longest first: what begins last is waited for by an idle core. */
const longest = [
  'acceptance/browser/pages.browser.test.ts',
  'acceptance/browser/app-pages.browser.test.ts',
  'acceptance/faults/telemetry.test.ts',
  'acceptance/browser/dialogs.browser.test.ts',
  'packages/server/test/contract/examples-of-apps.test.ts',
  'packages/server/test/contract/examples-of-others.test.ts',
  'acceptance/clients/',
  'packages/server/test/contract/permissions.test.ts',
  'acceptance/faults/',
  'packages/server/test/contract/examples-of-orgs.test.ts',
  'acceptance/cluster/',
  'tools/regular-expressions.test.ts',
  'packages/runner/src/test-job.test.ts',
  'packages/server/src/workers/workers.test.ts',
  'packages/runner/src/build-job.test.ts',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex((part) => moduleId.includes(part));
  return rank < 0 ? longest.length : rank;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
