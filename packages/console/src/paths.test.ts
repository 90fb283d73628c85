import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { appPath, paths, pathTo, withQuery } from './paths.ts';

test('escapes names in paths', () => {
  expect(pathTo('orgGroup', { org: 'saltmarsh', group: 'Night / deck?#%' })).toBe(
    '/orgs/saltmarsh/groups/Night%20%2F%20deck%3F%23%25',
  );
});

test.each([
  ['org', '/orgs/saltmarsh/apps/tickets'],
  ['user', '/users/saltmarsh/apps/tickets'],
])('the path of an app contains its owner type %s', (type, address) => {
  expect(appPath({ name: 'tickets', owner: { name: 'saltmarsh', type } })).toBe(address);
});

test('drops empty query parameters', () => {
  expect(withQuery('/health', { subscription: '', status: 'Active', since: undefined })).toBe('/health?status=Active');
  expect(withQuery('/health', {})).toBe('/health');
});

/** First segment of each path, as quoted in code. */
const literal = new RegExp(
  `['"\`]/(${[...new Set(Object.values(paths).map((one) => one.split('/')[1]))].filter((segment) => segment && !segment.startsWith(':')).join('|')}|users)\\b`,
);

test('page paths are quoted only in the table', () => {
  const folder = import.meta.dirname;
  const matches = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$/.test(file) && file !== 'paths.ts')
    .filter((file) => literal.test(readFileSync(path.join(folder, file), 'utf8')));
  expect(matches).toEqual([]);
});
