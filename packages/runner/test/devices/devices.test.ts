import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readJunitXml } from '@mooring/contract';
import { canContain, runTests, type TestFile, type TestOptions } from '@mooring/runner';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findProgram } from '../../../../tools/programs.mjs';

const here = import.meta.dirname;

/** As Maven leaves it: `test-classes/`, and the jars in the layout of a repository. */
function makeSuite(folder: string): void {
  const junit = findProgram('JUnit') ?? '';
  const jars = path.join(folder, 'dependency-jars');
  for (const [jar, place] of [
    [junit, 'junit/junit/4.13.2/junit-4.13.2.jar'],
    [path.join(path.dirname(junit), 'hamcrest-core.jar'), 'org/hamcrest/hamcrest-core/1.3/hamcrest-core-1.3.jar'],
  ] as const) {
    mkdirSync(path.join(jars, path.dirname(place)), { recursive: true });
    copyFileSync(realpathSync(jar), path.join(jars, place));
  }
  mkdirSync(path.join(folder, 'test-classes'));
  const args = ['-cp', junit, '-d', path.join(folder, 'test-classes'), path.join(here, 'NotesTest.java')];
  execFileSync(findProgram('JDK') ?? 'javac', args);
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));

it('a JUnit suite with one red test runs on an emulated phone with Appium, and is told step by step', async () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'mooring-devices-'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(scratch, { recursive: true, force: true });
  });
  vi.stubEnv('APPIUM_HOME', here);
  vi.stubEnv('PATH', `${path.join(here, 'node_modules/.bin')}:${process.env.PATH}`);
  const suite = path.join(scratch, 'suite');
  makeSuite(suite);
  mkdirSync(path.join(scratch, 'jobs'));
  const events: Parameters<TestOptions['send']>[1] = [];
  const files: TestFile[] = [];
  let log = '';
  const outcome = await runTests(
    {
      app: { owner: 'ada', name: 'compass', os: 'Android', platform: 'Java' },
      run: { id: '7' },
      device: {
        key: 'browser-pixel-8',
        name: 'Google Pixel 8 (emulated browser) (14)',
        model: 'Pixel 8 (emulated browser)',
        os: '14',
        platform: 'android',
        index: 0,
      },
      framework: 'appium',
      parameters: { test_env: 'EXPECTED_TITLE=Other' },
      locale: 'en_US',
      minutes: 10,
      files: filesBelow(suite).map((file) => {
        const content = readFileSync(path.join(suite, file));
        const sha256 = createHash('sha256').update(content).digest('hex');
        return { id: file, path: file, type: 'test-file', sha256, size: content.length };
      }),
    },
    {
      folder: path.join(scratch, 'jobs'),
      sandbox: (await canContain()) ? 'bubblewrap' : 'host',
      signal: AbortSignal.timeout(150_000),
      write: (text) => {
        log += text;
      },
      mask: (line) => line,
      async keep(file) {
        files.push(file);
        return true;
      },
      fetch: async (id) =>
        (async function* () {
          yield readFileSync(path.join(suite, id));
        })(),
      async send(from, some) {
        expect(from).toBe(events.length);
        return events.push(...some);
      },
      onLost: () => undefined,
    },
  );
  const appium = files.find(({ kind }) => kind === 'appium-log')?.content.toString() ?? '';
  expect(outcome, `${log}\n${appium}`).toEqual({ result: 'succeeded' });
  const of = (name: string) => events.filter((event) => 'test' in event && event.test === name);
  expect(of('isOpenedByAPhone'), log).toEqual([
    expect.objectContaining({ type: 'test-started', suite: 'NotesTest' }),
    expect.objectContaining({ type: 'step', label: 'Opened', screenshot: expect.stringMatching(/\.png$/) }),
    expect.objectContaining({ type: 'step', label: 'Looked at', screenshot: expect.stringMatching(/\.png$/) }),
    expect.objectContaining({ type: 'test-ended', status: 'passed' }),
  ]);
  expect(of('isRedOnPurpose')).toEqual([
    expect.objectContaining({ type: 'test-started' }),
    expect.objectContaining({ type: 'step', label: 'Before it fails', screenshot: expect.stringMatching(/\.png$/) }),
    expect.objectContaining({
      status: 'failed',
      message: expect.stringContaining('expected:<[Other]> but was:<[Notes]>'),
    }),
  ]);
  expect(of('isLeftOut').at(-1)).toMatchObject({ type: 'test-ended', status: 'skipped' });
  expect(files.filter(({ kind }) => kind === 'screenshot')).toHaveLength(3);
  const reports = files.filter(({ kind }) => kind === 'junit-xml');
  expect(reports.map(({ name }) => name)).toEqual(['TEST-NotesTest.xml']);
  expect(
    readJunitXml(reports[0]?.content.toString() ?? '')
      .map(({ status }) => status)
      .sort(),
  ).toEqual(['failed', 'passed', 'skipped']);
  expect(appium).toContain('Chromedriver');
  expect(readdirSync(path.join(scratch, 'jobs'))).toEqual([]);
});
