import { expect, test } from 'vitest';
import { fromYaml, toYaml } from './settings-yaml.ts';

const settings = {
  trigger: 'continuous' as const,
  toolsets: { custom: { commands: ['make', 'make "all of it"'] }, android: { keyPassword: '********' } },
  environmentVariables: [{ name: 'VERSION', value: '1.10' }],
};

test('keeps settings unchanged through YAML, even texts that look like numbers', () => {
  expect(fromYaml(toYaml({ id: 7, ...settings }))).toEqual(settings);
  expect(toYaml(settings)).toContain('- make\n');
  expect(fromYaml(JSON.stringify(settings))).toEqual(settings);
  expect([toYaml({}), fromYaml(' \n')]).toEqual(['', {}]);
});

test.each([
  ['a: [1', /flow|column|line/i],
  ['- a', /object with fields/],
  ['text', /object with fields/],
  ['a: &x [1]\nb: *x', /alias/i],
])('rejects %j', (text, reason) => {
  expect(() => fromYaml(text)).toThrow(reason);
});
