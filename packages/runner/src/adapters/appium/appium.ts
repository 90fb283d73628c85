import { randomUUID } from 'node:crypto';
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { debian } from '../../install-hints.ts';
import { findProgram } from '../../sandbox.ts';
import { type FindProgram, type Framework, SuiteBroken, type TestJob } from '../adapter.ts';
import { sourceOf } from '../devices.ts';
import { createLabelReader } from '../labels.ts';
import { readJunitLine } from './junit-lines.ts';
import { withAppium } from './server.ts';
import { filesBelow, testClassesIn } from './test-classes.ts';

const program = path.join(import.meta.dirname, 'MooringSuite.java');
const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const findJava = (find: FindProgram): string | undefined => find('javac') && find('java');

/** Suites of JUnit 4 in the layout of the original service: `test-classes/` and `dependency-jars/`. */
export const appium: Framework = {
  name: 'appium',
  lacks: (find) => (findJava(find) ? [] : [`no JDK, 11 or later: install one${debian('default-jdk-headless')}`]),
  fits: () => true,
  async prepare({ folders: { box, suite }, work }) {
    const jars = (await filesBelow(path.join(suite, 'dependency-jars'))).filter((file) => file.endsWith('.jar'));
    const classes = testClassesIn(await filesBelow(path.join(suite, 'test-classes')));
    if (classes.length === 0)
      throw new SuiteBroken(
        'test-classes has no test: classes are called Test…, …Test, …Tests or …TestCase. Upload what "mvn -P prepare-for-upload package" makes.',
      );
    if (!jars.some((file) => /(^|\/)junit[^/]*\.jar$/.test(file)))
      throw new SuiteBroken('dependency-jars has no JUnit 4; suites of Appium are JUnit 4 suites.');
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
    withAppium(job, sourceOf(job.work.device.key), findProgram, async ({ env, signal }) => {
      const { folders, report, work } = job;
      const mark = randomUUID();
      // What labels say of the end is known better from JUnit itself.
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
          const said = readJunitLine(line, mark);
          if (!said) labels.read(line);
          else if (said.type === 'started') {
            labels.begin(said.suite, said.test);
            report.started(said.suite, said.test);
          } else if (said.type === 'ended') report.ended(said);
          else isDone = true;
          return said === undefined;
        },
      });
      if (!isDone && !job.signal.aborted && !signal.aborted)
        throw new SuiteBroken(`JUnit ended with exit code ${code} before the suite was through; its log says why.`);
    }),
  cleanup: async () => undefined,
};
