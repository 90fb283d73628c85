import { expect, test } from 'vitest';
import { sdkFor, sdks } from './sdks.ts';

test('the code of each SDK contains the app secret and the log URL', () => {
  for (const { name, code } of sdks) {
    const text = code('the-secret', 'https://mooring.example');
    expect([name, text.includes('the-secret'), text.includes('https://mooring.example')]).toEqual([name, true, true]);
  }
});

test.each([
  ['iOS', 'React-Native', 'React Native'],
  ['Android', 'Java', 'Android'],
  ['tvOS', 'Objective-C-Swift', 'iOS, macOS, tvOS'],
  ['Android', 'Unity', 'Unity'],
  ['Windows', 'WPF', '.NET (MAUI, WPF, WinForms, UWP)'],
  ['Custom', 'Custom', 'Any other platform (HTTP)'],
] as const)('selects for an app of %s and %s the SDK %s', (os, platform, name) => {
  expect(sdkFor({ os, platform }).name).toBe(name);
});
