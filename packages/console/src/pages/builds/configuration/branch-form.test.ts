import { expect, test } from 'vitest';
import type { BranchSettings } from '../../../api/builds/builds.ts';
import { findStore, findToolset, getGroups, likelyToolset, settingsWith, suggestionsFor } from './branch-form.ts';

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

test('splits lines into a list and drops empty ones', () => {
  expect(settingsWith({}, form)).toEqual({
    trigger: 'manual',
    signed: false,
    badgeIsEnabled: false,
    toolsets: { distribution: {}, custom: { commands: ['make', 'make test'] } },
    environmentVariables: [],
  });
});

test('keeps fields outside the form and untouched secrets', () => {
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

test('replaces the toolset', () => {
  const saved = settingsWith({ toolsets: { android: { module: 'app' } } }, form);
  expect(findToolset(saved)).toBe('custom');
  expect(saved.toolsets).not.toHaveProperty('android');
});

test('reads the groups that receive successful builds', () => {
  expect(getGroups(settingsWith({}, { ...form, groups: ['7'], isSilent: true }))).toEqual({
    groups: ['7'],
    isSilent: true,
  });
});

test('distributes successful builds to groups, to a store, or not at all', () => {
  const distribution = { destinationType: 'store', destinations: ['1', '3'] };
  const before = { toolsets: { distribution } } as unknown as BranchSettings;
  expect([getGroups(before).groups, findStore(before)]).toEqual([[], '1']);
  expect(settingsWith(before, { ...form, store: '1' }).toolsets).toMatchObject({ distribution });
  const inGroups = settingsWith(before, { ...form, groups: ['7'] });
  expect([getGroups(inGroups).groups, findStore(inGroups)]).toEqual([['7'], undefined]);
  expect(findStore(settingsWith(inGroups, { ...form, store: '2' }))).toBe('2');
  expect(settingsWith(before, form).toolsets).toMatchObject({ distribution: {} });
  expect(findStore(settingsWith(before, form))).toBeUndefined();
});

test('suggests values detected in the sources', () => {
  const projects = {
    android: { androidModules: [{ name: 'app' }, { name: 'app' }], gradleWrapperPath: 'gradlew' },
    javascript: { packageJsonPaths: ['package.json'] },
  };
  expect(suggestionsFor('android', 'module', projects)).toEqual(['app']);
  expect([likelyToolset(projects), likelyToolset({}), likelyToolset(undefined)]).toEqual([
    'android',
    'custom',
    'custom',
  ]);
  const container = { path: 'Compass.xcworkspace', podfilePath: 'Podfile', sharedSchemes: [] };
  const apple = { xcode: { xcodeSchemeContainers: [container] } };
  expect([likelyToolset(apple), suggestionsFor('xcode', 'podfilePath', apple)]).toEqual(['xcode', ['Podfile']]);
});
