import { expect, test } from 'vitest';
import type { BranchSettings } from '../../api/builds.ts';
import { groupsOf, likelyToolset, settingsWith, storeOf, suggestionsFor, toolsetOf } from './branch-form.ts';

const form = {
  trigger: 'manual' as const,
  isSigned: false,
  hasBadge: false,
  toolset: 'custom' as const,
  fields: { commands: ' make \n\nmake test\n' },
  variables: [],
  groups: [],
  store: undefined,
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

test('each green build goes to groups or to a store, or to nobody', () => {
  const distribution = { destinationType: 'store', destinations: ['1', '3'] };
  const before = { toolsets: { distribution } } as unknown as BranchSettings;
  expect([groupsOf(before).groups, storeOf(before)]).toEqual([[], '1']);
  expect(settingsWith(before, { ...form, store: '1' }).toolsets).toMatchObject({ distribution });
  const inGroups = settingsWith(before, { ...form, groups: ['7'] });
  expect([groupsOf(inGroups).groups, storeOf(inGroups)]).toEqual([['7'], undefined]);
  expect(storeOf(settingsWith(inGroups, { ...form, store: '2' }))).toBe('2');
  expect(settingsWith(before, form).toolsets).toMatchObject({ distribution: {} });
  expect(storeOf(settingsWith(before, form))).toBeUndefined();
});

test('what was found in the sources is suggested', () => {
  const found = {
    android: { androidModules: [{ name: 'app' }, { name: 'app' }], gradleWrapperPath: 'gradlew' },
    javascript: { packageJsonPaths: ['package.json'] },
  };
  expect(suggestionsFor('android', 'module', found)).toEqual(['app']);
  expect([likelyToolset(found), likelyToolset({}), likelyToolset(undefined)]).toEqual(['android', 'custom', 'custom']);
  const container = { path: 'Compass.xcworkspace', podfilePath: 'Podfile', sharedSchemes: [] };
  const apple = { xcode: { xcodeSchemeContainers: [container] } };
  expect([likelyToolset(apple), suggestionsFor('xcode', 'podfilePath', apple)]).toEqual(['xcode', ['Podfile']]);
});
