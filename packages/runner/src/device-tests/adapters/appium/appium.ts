import { randomUUID } from 'node:crypto';
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from '../../../sandbox/sandbox.ts';
import { debian } from '../../../tools/install-hints.ts';
import { type FindProgram, type Framework, SuiteBroken, type TestJob } from '../adapter.ts';
import { getSource } from '../devices.ts';
import { createLabelReader } from '../labels.ts';
import { readJunitLine } from './junit-lines.ts';
import { withAppium } from './server.ts';
import { findTestClasses, listFiles } from './test-classes.ts';

const program = path.join(import.meta.dirname, 'MooringSuite.java');
const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const findJava = (find: FindProgram): string | undefined => find('javac') && find('java');

/** JUnit 4 suites in the layout of App Center: `test-classes/` and `dependency-jars/`. */
export const appium: Framework = {
  name: 'appium',
  listMissing: (find) =>
    findJava(find) ? [] : [`no JDK: install version 11 or later${debian('default-jdk-headless')}`],
  fits: () => true,
  async prepare({ folders: { box, suite }, work }) {
    const jars = (await listFiles(path.join(suite, 'dependency-jars'))).filter((file) => file.endsWith('.jar'));
    const classes = findTestClasses(await listFiles(path.join(suite, 'test-classes')));
    if (classes.length === 0)
      throw new SuiteBroken(
        'No tests in test-classes. Names of test classes must match Test…, …Test, …Tests or …TestCase. Upload the output of "mvn -P prepare-for-upload package".',
      );
    if (!jars.some((file) => /(^|\/)junit[^/]*\.jar$/.test(file)))
      throw new SuiteBroken('No JUnit 4 in dependency-jars. Appium suites must use JUnit 4.');
    const classpath = [
      path.join(suite, 'test-classes'),
      ...jars.map((file) => path.join(suite, 'dependency-jars', file)),
    ].join(path.delimiter);
    await copyFile(program, path.join(box, 'MooringSuite.java'));
    await writeFile(path.join(box, 'classes'), `${classes.join('\n')}\n`);
    if (work.only) await writeFile(path.join(box, 'only'), `${work.only.join('\n')}\n`);
    await writeFile(
      path.join(box, 'java-options'),
      `-Dfile.encoding=UTF-8\n--add-opens=java.base/java.lang=ALL-UNNAMED\n-cp ${quoted(classpath)}\n`,
    );
  },
  run: (job: TestJob) =>
    withAppium(job, getSource(job.work.device.key), findProgram, async ({ env, signal }) => {
      const { folders, report, work } = job;
      const mark = randomUUID();
      // JUnit reports results more reliably than labels.
      const labels = createLabelReader(folders.screenshots, report, () => undefined);
      let isDone = false;
      const code = await job.run({
        title: 'JUnit',
        command: [
          findJava(findProgram) ?? 'java',
          `@${path.join(folders.box, 'java-options')}`,
          path.join(folders.box, 'MooringSuite.java'),
          mark,
          path.join(folders.box, 'classes'),
          ...(work.only ? [path.join(folders.box, 'only')] : []),
        ],
        env,
        signal,
        onLine(line) {
          const event = readJunitLine(line, mark);
          if (!event) labels.read(line);
          else if (event.type === 'started') {
            labels.begin(event.suite, event.test);
            report.started(event.suite, event.test);
          } else if (event.type === 'ended') report.ended(event);
          else isDone = true;
          return event === undefined;
        },
      });
      if (!isDone && !job.signal.aborted && !signal.aborted)
        throw new SuiteBroken(`JUnit exited with code ${code} before the suite completed. See its log for the reason.`);
    }),
  cleanup: async () => undefined,
};
