import { expect, test } from 'vitest';
import { joinSecrets, showSettings, splitSecrets } from './setting-secrets.ts';

const given = {
  trigger: 'manual',
  toolsets: {
    android: { keyAlias: 'upload', keyPassword: 'hunter2', keystoreEncoded: 'QUJD', keystoreFilename: 'a.jks' },
    future: { deep: [{ apiToken: 'abc', kept: 1 }] },
  },
  environmentVariables: [
    { name: 'STAGE', value: 'beta' },
    { name: 'KEY', value: 'sesame', isSecret: true },
  ],
};

test('no secret stays in what is shown, also in fields that nobody knows', () => {
  const { settings } = splitSecrets(given);
  expect(JSON.stringify(settings)).not.toMatch(/hunter2|QUJD|abc|sesame|beta/);
  expect(settings).toMatchObject({
    trigger: 'manual',
    toolsets: { android: { keyAlias: 'upload', keystoreFilename: 'a.jks' }, future: { deep: [{ kept: 1 }] } },
  });
});

test('whoever builds gets all of them', () => {
  expect(joinSecrets(splitSecrets(given))).toEqual(given);
});

test('a mask that comes back leaves the secret as it was, wherever its variable stands now', () => {
  const before = splitSecrets(given);
  const shown = showSettings(before, { showsVariables: true }) as typeof given;
  const changed = { ...shown, trigger: 'continuous', environmentVariables: shown.environmentVariables.toReversed() };
  const after = splitSecrets(changed, before);
  expect(joinSecrets(after)).toEqual({
    ...given,
    trigger: 'continuous',
    environmentVariables: given.environmentVariables.toReversed(),
  });
});

test('a mask for what was never there is left out', () => {
  const { settings, secrets } = splitSecrets({ toolsets: { android: { keyPassword: '********' } } });
  expect({ settings, secrets }).toEqual({ settings: { toolsets: { android: {} } }, secrets: {} });
});

test('variables are shown to those who may see them, except secret ones', () => {
  const split = splitSecrets(given);
  const values = (showsVariables: boolean) =>
    (showSettings(split, { showsVariables }) as typeof given).environmentVariables.map(({ value }) => value);
  expect(values(true)).toEqual(['beta', '********']);
  expect(values(false)).toEqual(['********', '********']);
});

test('refuses a mask for a variable that would no longer be secret, and shows nothing of it', () => {
  const before = splitSecrets(given);
  const reveal = (variable: Record<string, unknown>) => () =>
    splitSecrets({ environmentVariables: [{ name: 'KEY', value: '********', ...variable }] }, before);
  for (const variable of [{ isSecret: false }, {}, { isSecret: null }, { isSecret: 'true' }]) {
    expect(reveal(variable)).toThrow("Can't show the value of KEY");
  }
  expect(joinSecrets(reveal({ isSecret: true })())).toMatchObject({ environmentVariables: [{ value: 'sesame' }] });
  expect(() => splitSecrets({ environmentVariables: [{ name: 'NEW', value: '********' }] }, before)).toThrow('NEW');
});

test('a public variable can become secret, or stay public, with its mask', () => {
  const before = splitSecrets(given);
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
