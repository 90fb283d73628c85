import { expect, test } from 'vitest';
import { groupsOf, likelyToolset, settingsWith, suggestionsFor, toolsetOf } from './branch-form.ts';

const form = {
  trigger: 'manual' as const,
  isSigned: false,
  hasBadge: false,
  toolset: 'custom' as const,
  fields: { commands: ' make \n\nmake test\n' },
  variables: [],
  groups: [],
  isSilent: false,
};

test('lines become a list, and what is empty is left out', () => {
  expect(settingsWith({}, form)).toEqual({
    trigger: 'manual',
    signed: false,
    badgeIsEnabled: false,
    toolsets: { distribution: {}, custom: { commands: ['make', 'make test'] } },
    environmentVariables: [],
  });
});

test('what the form does not show stays, and a secret that nobody typed, too', () => {
  const before = {
    future: 1,
    trigger: 'continous' as const,
    toolsets: {
      android: { module: 'app', keyPassword: '********', future: true },
      testcloud: { frameworkType: 'Generated' },
    },
  };
  const saved = settingsWith(before, { ...form, toolset: 'android', fields: { module: 'wear', runTests: true } });
  expect(saved).toMatchObject({
    future: 1,
    toolsets: {
      android: { module: 'wear', keyPassword: '********', future: true, runTests: true, runLint: false },
      testcloud: { frameworkType: 'Generated' },
    },
  });
  const emptied = settingsWith(before, { ...form, toolset: 'android', fields: { module: ' ' } });
  expect(emptied.toolsets?.android).not.toHaveProperty('module');
});

test('a branch has one toolset: another takes its place', () => {
  const saved = settingsWith({ toolsets: { android: { module: 'app' } } }, form);
  expect(toolsetOf(saved)).toBe('custom');
  expect(saved.toolsets).not.toHaveProperty('android');
});

test('groups that get each green build are read back', () => {
  expect(groupsOf(settingsWith({}, { ...form, groups: ['7'], isSilent: true }))).toEqual({
    groups: ['7'],
    isSilent: true,
  });
});

test('what was found in the sources is suggested', () => {
  const found = {
    android: { androidModules: [{ name: 'app' }, { name: 'app' }], gradleWrapperPath: 'gradlew' },
    javascript: { packageJsonPaths: ['package.json'] },
  };
  expect(suggestionsFor('android', 'module', found)).toEqual(['app']);
  expect([likelyToolset(found), likelyToolset({}), likelyToolset(undefined)]).toEqual(['android', 'custom', 'custom']);
});
