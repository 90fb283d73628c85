import path from 'node:path';
import { readInside } from '../../files/read-inside.ts';
import { type Framework, SuiteBroken, type TestJob } from './adapter.ts';
import { listFiles } from './appium/test-classes.ts';

const MAX_REPORT_BYTES = 50 * 1_048_576;

export interface PlugIn {
  name: Framework['name'];
  /** Variable of the runner with the shell command that runs a suite. */
  variable: string;
  /** Describes the command in the message about a missing one. */
  task: string;
  /** Extension of reports in the output folder. */
  extension: string;
  /** Reports the tests of a report file. Returns their number. */
  reportTests(job: TestJob, report: string): Promise<number>;
}

/** A framework that runs a command from the operator of the runner, which writes reports to the output folder. */
export const plugIn = ({ name, variable, task, extension, reportTests }: PlugIn): Framework => ({
  name,
  listMissing: () => (process.env[variable] ? [] : [`no plug-in: set ${variable} to a command that ${task}`]),
  fits: ({ is_emulated }) => !is_emulated,
  prepare: async () => undefined,
  async run(job) {
    const command = ['bash', '-e', '-c', process.env[variable] ?? 'exit 127'];
    const code = await job.run({ title: name, command });
    if (job.signal.aborted) return;
    const files = (await listFiles(job.folders.output)).filter((file) => file.endsWith(extension));
    let reportedCount = 0;
    for (const file of files) {
      if (job.signal.aborted) return;
      const report = await readInside(job.folders.box, path.join(job.folders.output, file), MAX_REPORT_BYTES);
      if (!report) continue;
      reportedCount += await reportTests(job, report.toString('utf8')).catch((error: Error) => {
        throw new SuiteBroken(`Can't read the report ${file}: ${error.message}.`);
      });
    }
    if (reportedCount === 0)
      throw new SuiteBroken(`The plug-in exited with code ${code} and wrote no report with tests.`);
  },
  cleanup: async () => undefined,
});
