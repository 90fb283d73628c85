import { expect, test } from 'vitest';
import { diagnose } from '../device-tests/adapters/index.ts';
import { debian } from './install-hints.ts';

test('recommends Debian packages on Linux only', () => {
  expect(debian('adb', 'linux')).toBe(' (Debian: apt install adb)');
  expect([debian('adb', 'darwin'), debian('adb', 'win32')]).toEqual(['', '']);
});

test('reports Appium tests as not ready without Appium', () => {
  const installed = new Set(['bash', 'java', 'javac', 'adb', 'chromium', 'chromedriver']);
  const diagnosis = diagnose((name) => (installed.has(name) ? `/usr/bin/${name}` : undefined));
  const appium = diagnosis.find(({ name }) => name === 'tests: appium');
  expect(appium?.missing).toContain('no Appium: npm install --global appium');
  expect(diagnosis.find(({ name }) => name === 'tests: command')?.missing).toEqual([]);
});
