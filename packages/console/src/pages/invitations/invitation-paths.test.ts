import { expect, test } from 'vitest';
import { consolePathFor, firstPath } from './invitation-paths.ts';

const app = { name: 'tide table', owner: { type: 'org', name: 'lighthouse' } } as const;
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)';
const desktop = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const install = '/install/orgs/lighthouse/apps/tide%20table';

test('testers go to the install page of the app, or to all apps of a shared group', () => {
  expect(firstPath('group', { app }, desktop)).toBe(install);
  expect(firstPath('group', {}, phone)).toBe('/install/');
});

test('members of an app go to its install page on a phone, otherwise to the app', () => {
  expect(firstPath('app', { app }, phone)).toBe(install);
  expect(firstPath('app', { app }, desktop)).toBe('/orgs/lighthouse/apps/tide%20table');
});

test('members of an organization go to its page', () => {
  expect(firstPath('org', { organization: { name: 'lighthouse' } }, phone)).toBe('/orgs/lighthouse');
  expect(consolePathFor({})).toBe('/');
});
