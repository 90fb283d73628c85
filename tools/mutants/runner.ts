// A process in the copy that keeps Vitest loaded, and runs the requested tests. It is killed and replaced if a mutant
// makes it hang.
import { createVitest, type TestCase } from 'vitest/node';

/** Tests by file; an empty list runs the whole file. */
export interface Run {
  tests: Record<string, string[]>;
  /** Stops after the first failure. */
  untilFailure: boolean;
}

export interface Outcome {
  failures: string[];
  /** The IDs of the failed tests. */
  failed: string[];
  ran: number;
}

let hasFailed: () => void = () => undefined;

const vitest = await createVitest(
  {
    config: 'vitest.mutants.config.ts',
    watch: false,
    ...(process.env.MUTANTS_QUICK ? { testNamePattern: /^(?!.*\(postgres\))/ } : {}),
    reporters: [
      {
        onTestCaseResult(test: TestCase) {
          if (test.result().state === 'failed') hasFailed();
        },
      },
    ],
  },
  {},
);
await vitest.standalone();
await vitest.globTestSpecifications();

async function run({ tests, untilFailure }: Run): Promise<Outcome> {
  hasFailed = () => {
    if (untilFailure) void vitest.cancelCurrentRun('test-failure');
  };
  const specifications = Object.entries(tests).flatMap(([file, testIds]) =>
    vitest
      .getModuleSpecifications(file)
      .map(({ project }) => project.createSpecification(file, testIds.length > 0 ? { testIds } : undefined)),
  );
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  // May be any value, not only an error.
  const failures: string[] = unhandledErrors.map(
    (error) => (error as Partial<Error>).message ?? 'A value other than an error was thrown.',
  );
  const failed: string[] = [];
  let ran = 0;
  for (const module of testModules) {
    failures.push(...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`));
    for (const test of module.children.allTests()) {
      const { state, errors = [] } = test.result();
      if (state === 'passed' || state === 'failed') ran += 1;
      if (state !== 'failed') continue;
      const [reason = ''] = errors.flatMap(({ message }) => message.split('\n'));
      failures.push(`${module.relativeModuleId}: ${test.fullName}: ${reason}`);
      failed.push(test.id);
    }
  }
  return { failures, failed, ran };
}

process.on('message', async (message: Run) => {
  process.send?.(await run(message));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
