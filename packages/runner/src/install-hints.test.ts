import { expect, test } from 'vitest';
import { diagnose } from './adapters/index.ts';
import { debian } from './install-hints.ts';

test('names packages of Debian on Linux alone', () => {
  expect(debian('adb', 'linux')).toBe(' (Debian: apt install adb)');
  expect([debian('adb', 'darwin'), debian('adb', 'win32')]).toEqual(['', '']);
});

test('does not call tests by Appium ready where there is no Appium', () => {
  const found = new Set(['bash', 'java', 'javac', 'adb', 'chromium', 'chromedriver']);
  const facts = diagnose((name) => (found.has(name) ? `/usr/bin/${name}` : undefined));
  const appium = facts.find(({ what }) => what === 'tests: appium');
  expect(appium?.lacks).toContain('no Appium: npm install --global appium');
  expect(facts.find(({ what }) => what === 'tests: command')?.lacks).toEqual([]);
});
