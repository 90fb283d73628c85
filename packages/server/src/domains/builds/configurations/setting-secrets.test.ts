import { expect, test } from 'vitest';
import { joinSecrets, showSettings, splitSecrets } from './setting-secrets.ts';

const input = {
  trigger: 'manual',
  toolsets: {
    android: { keyAlias: 'upload', keyPassword: 'hunter2', keystoreEncoded: 'QUJD', keystoreFilename: 'a.jks' },
    future: { deep: [{ apiToken: 'abc', setting: 1 }] },
  },
  environmentVariables: [
    { name: 'STAGE', value: 'beta' },
    { name: 'KEY', value: 'sesame', isSecret: true },
  ],
};

test('hides secrets, including those in unknown fields', () => {
  const { settings } = splitSecrets(input);
  expect(JSON.stringify(settings)).not.toMatch(/hunter2|QUJD|abc|sesame|beta/);
  expect(settings).toMatchObject({
    trigger: 'manual',
    toolsets: { android: { keyAlias: 'upload', keystoreFilename: 'a.jks' }, future: { deep: [{ setting: 1 }] } },
  });
});

test('restores all secrets for the runner', () => {
  expect(joinSecrets(splitSecrets(input))).toEqual(input);
});

test('keeps a secret that is sent back as a mask, even if its variable moved', () => {
  const before = splitSecrets(input);
  const shown = showSettings(before, { showsVariables: true }) as typeof input;
  const changed = { ...shown, trigger: 'continuous', environmentVariables: shown.environmentVariables.toReversed() };
  const after = splitSecrets(changed, before);
  expect(joinSecrets(after)).toEqual({
    ...input,
    trigger: 'continuous',
    environmentVariables: input.environmentVariables.toReversed(),
  });
});

test('omits a mask without a stored secret', () => {
  const { settings, secrets } = splitSecrets({ toolsets: { android: { keyPassword: '********' } } });
  expect({ settings, secrets }).toEqual({ settings: { toolsets: { android: {} } }, secrets: {} });
});

test('shows variables to those who may see them, except secret ones', () => {
  const split = splitSecrets(input);
  const values = (showsVariables: boolean) =>
    (showSettings(split, { showsVariables }) as typeof input).environmentVariables.map(({ value }) => value);
  expect(values(true)).toEqual(['beta', '********']);
  expect(values(false)).toEqual(['********', '********']);
});

test('refuses a mask for a variable that would become public, and reveals nothing of it', () => {
  const before = splitSecrets(input);
  const reveal = (variable: Record<string, unknown>) => () =>
    splitSecrets({ environmentVariables: [{ name: 'KEY', value: '********', ...variable }] }, before);
  for (const variable of [{ isSecret: false }, {}, { isSecret: null }, { isSecret: 'true' }]) {
    expect(reveal(variable)).toThrow("Can't show the value of KEY");
  }
  expect(joinSecrets(reveal({ isSecret: true })())).toMatchObject({ environmentVariables: [{ value: 'sesame' }] });
  expect(() => splitSecrets({ environmentVariables: [{ name: 'NEW', value: '********' }] }, before)).toThrow('NEW');
});

test('lets a public variable become secret, or stay public, with its mask', () => {
  const before = splitSecrets(input);
  for (const isSecret of [true, false]) {
    const after = splitSecrets({ environmentVariables: [{ name: 'STAGE', value: '********', isSecret }] }, before);
    expect(joinSecrets(after).environmentVariables).toEqual([{ name: 'STAGE', value: 'beta', isSecret }]);
  }
});

test('refuses a mask for a secret that was moved out of the list of variables first', () => {
  const moved = splitSecrets({ environmentVariables: { API_TOKEN: '********' } } as never, {
    settings: { environmentVariables: [{ name: 'API_TOKEN', value: '********', isSecret: true }] },
    secrets: { 'environmentVariables/API_TOKEN': 'sesame' },
  });
  const back = { environmentVariables: [{ name: 'API_TOKEN', value: '********', isSecret: false }] };
  expect(() => splitSecrets(back, moved)).toThrow("Can't show the value of API_TOKEN");
});
