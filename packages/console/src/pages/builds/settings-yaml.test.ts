import { expect, test } from 'vitest';
import { fromYaml, toYaml } from './settings-yaml.ts';

const settings = {
  trigger: 'continuous' as const,
  toolsets: { custom: { commands: ['make', 'make "all of it"'] }, android: { keyPassword: '********' } },
  environmentVariables: [{ name: 'VERSION', value: '1.10' }],
};

test('settings are the same after they were YAML, texts that look like numbers too', () => {
  expect(fromYaml(toYaml({ id: 7, ...settings }))).toEqual(settings);
  expect(toYaml(settings)).toContain('- make\n');
  expect(fromYaml(JSON.stringify(settings))).toEqual(settings);
  expect([toYaml({}), fromYaml(' \n')]).toEqual(['', {}]);
});

test.each([
  ['a: [1', /flow|column|line/i],
  ['- a', /no fields/],
  ['text', /no fields/],
  ['a: &x [1]\nb: *x', /alias/i],
])('%j is refused', (text, reason) => {
  expect(() => fromYaml(text)).toThrow(reason);
});
