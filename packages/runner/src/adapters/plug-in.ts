import path from 'node:path';
import { readInside } from '../inside.ts';
import { type Framework, SuiteBroken, type TestJob } from './adapter.ts';
import { filesBelow } from './appium/test-classes.ts';

const LARGEST_REPORT = 50 * 1_048_576;

export interface PlugIn {
  name: Framework['name'];
  /** The variable of the runner with the line of the shell that runs a suite. */
  variable: string;
  what: string;
  /** Of the reports that it leaves in the output folder. */
  extension: string;
  /** Tells what a report says; says of how many tests. */
  tell(job: TestJob, report: string): Promise<number>;
}

/** A framework whose tools the owner of a runner brings: a command that leaves its reports in the output folder. */
export const plugIn = ({ name, variable, what, extension, tell }: PlugIn): Framework => ({
  name,
  lacks: () => (process.env[variable] ? [] : [`no plug-in: set ${variable} to the command that ${what}`]),
  fits: ({ is_emulated }) => !is_emulated,
  prepare: async () => undefined,
  async run(job) {
    const command = ['bash', '-e', '-c', process.env[variable] ?? 'exit 127'];
    const code = await job.run({ title: name, command });
    if (job.signal.aborted) return;
    const files = (await filesBelow(job.folders.output)).filter((file) => file.endsWith(extension));
    let told = 0;
    for (const file of files) {
      if (job.signal.aborted) return;
      const report = await readInside(job.folders.box, path.join(job.folders.output, file), LARGEST_REPORT);
      if (!report) continue;
      told += await tell(job, report.toString('utf8')).catch((error: Error) => {
        throw new SuiteBroken(`The report ${file} cannot be read: ${error.message}.`);
      });
    }
    if (told === 0) throw new SuiteBroken(`The plug-in ended with exit code ${code} and left no report of a test.`);
  },
  cleanup: async () => undefined,
});
