import { expect, test } from 'vitest';
import { noBubblewrap, noUser, planRunner } from './built-in-runner.ts';
import { programFiles } from './find-program.ts';

test('suggests packages and commands of Linux only on Linux', () => {
  expect(noBubblewrap('linux').remedy).toContain('apt install bubblewrap');
  expect(noUser('robot', 'linux').remedy).toContain('useradd --system robot');
  for (const platform of ['darwin', 'win32'] as const) {
    expect(noBubblewrap(platform).problem).toBe('bubblewrap is for Linux only.');
    for (const { remedy } of [noBubblewrap(platform), noUser('robot', platform)]) {
      expect(remedy).not.toMatch(/apt|dnf|useradd/);
    }
  }
  expect(noUser('robot', 'darwin').remedy).toContain('sysadminctl -addUser robot');
});

test('refuses a built-in runner without a sandbox on Windows, where it cannot run as another user', () => {
  const settings = { builtInRunner: 'host', builtInRunnerUser: undefined, builtInRunnerDir: '' } as const;
  expect(planRunner(settings, 'win32')).toEqual({
    problem: "On Windows the server can't start its runner as another user.",
    remedy: expect.stringContaining('MOORING_BUILT_IN_RUNNER=off'),
  });
});

test('finds programs by their file names on Windows', () => {
  expect(programFiles('git', 'win32')).toEqual(['git.exe', 'git.com']);
  expect(programFiles('git.exe', 'win32')).toEqual(['git.exe']);
  expect([programFiles('git', 'linux'), programFiles('git', 'darwin')]).toEqual([['git'], ['git']]);
});
