import { expect, test } from 'vitest';
import { applyYml, InvalidYml, MAX_YML_LENGTH, readYml } from './mooring-yml.ts';
import type { Work } from './stages/index.ts';

const listProblems = (text: string): readonly string[] => {
  try {
    readYml(text);
    return [];
  } catch (error) {
    if (error instanceof InvalidYml) return error.problems;
    throw error;
  }
};

test('parses a file, and converts booleans and numbers in variables to text', () => {
  const text = `version: 1
toolsets:
  custom:
    commands: [make, make test]
    artifacts: ["out/*.deb"]
variables: {STAGE: beta, RETRIES: 3, FAST: true}
caches:
  - key: [package-lock.json]
    paths: [node_modules, ~/.npm]
minutes: 20
`;
  expect(readYml(text)).toEqual({
    version: 1,
    toolsets: { custom: { commands: ['make', 'make test'], artifacts: ['out/*.deb'] } },
    variables: { STAGE: 'beta', RETRIES: '3', FAST: 'true' },
    caches: [{ key: ['package-lock.json'], paths: ['node_modules', '~/.npm'] }],
    minutes: 20,
  });
  expect(readYml('')).toEqual({});
});

test('reports every problem with its line and field', () => {
  expect(
    listProblems(`version: 1
toolset: {}
toolsets:
  custom:
    commands: make
    artifacts:
      - 7
minutes: 0
caches:
  - key: [../../etc/passwd]
    paths: [/etc]
`),
  ).toEqual([
    'mooring.yml:2:1: toolset is an unknown field.',
    expect.stringMatching(/^mooring\.yml:5:5: toolsets\.custom\.commands must be array/),
    expect.stringMatching(/^mooring\.yml:7:9: toolsets\.custom\.artifacts\.0 must be string/),
    expect.stringMatching(/^mooring\.yml:10:11: caches\.0\.key\.0 must match/),
    expect.stringMatching(/^mooring\.yml:11:13: caches\.0\.paths\.0 must match/),
    expect.stringMatching(/^mooring\.yml:8:1: minutes must be/),
  ]);
});

test.each([
  ['toolsets: {custom: {commands: [a]}', /mooring\.yml:1/],
  ['a: 1\na: 2', /mooring\.yml:2:1: a is duplicated/],
  ['a: &x 1\nb: *x', /mooring\.yml:2:4: b is a YAML alias/],
  ['? {a: 1}\n: b', /key that is not text/],
  [`a: ${'{'.repeat(40)}${'}'.repeat(40)}`, /not text|deeply/],
  [`a: ${'['.repeat(5000)}`, /mooring\.yml:1/],
  ['a'.repeat(MAX_YML_LENGTH + 1), /exceeds 64 KiB/],
  ['- a', /The file must be object/],
  ['__proto__: {minutes: 1}', /unknown/],
])('rejects %# with a message', (text, problem) => {
  expect(listProblems(text).join('\n')).toMatch(problem);
});

const work: Work = {
  app: { owner: 'ada', name: 'compass', os: 'Android', platform: 'Java' },
  build: { id: 7, branch: 'main', commit: 'a'.repeat(40), trigger: 'manual', isDebug: false },
  repository: { url: 'https://git.example.com/ada/compass.git', name: 'ada/compass' },
  isSigned: true,
  toolsets: { android: { module: 'app', keystorePassword: 'hunter2' }, custom: { commands: ['old'] } },
  variables: [
    { name: 'STAGE', value: 'alpha' },
    { name: 'KEY', value: 'sesame', isSecret: true },
    { name: 'CALL', value: 'mine' },
  ],
  variablesOfBuild: ['CALL'],
  minutes: 60,
};

test('lets the file override the branch, and variables of the build override the file', () => {
  const applied = applyYml(work, {
    toolsets: { android: { module: 'wear' } },
    variables: { STAGE: 'beta', CALL: 'theirs' },
    minutes: 90,
  });
  expect(applied.toolsets).toEqual({ android: { module: 'wear', keystorePassword: 'hunter2' } });
  expect(applied.variables).toEqual([
    { name: 'KEY', value: 'sesame', isSecret: true },
    { name: 'CALL', value: 'mine' },
    { name: 'STAGE', value: 'beta' },
  ]);
  expect([applied.isSigned, applied.minutes]).toEqual([true, 60]);
  expect(applyYml(work, {})).toEqual(work);
});
