import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { appPath, paths, pathTo, withQuery } from './paths.ts';

test('names in an address are escaped, whatever they hold', () => {
  expect(pathTo('orgGroup', { org: 'saltmarsh', group: 'Night / deck?#%' })).toBe(
    '/orgs/saltmarsh/groups/Night%20%2F%20deck%3F%23%25',
  );
});

test.each([
  ['org', '/orgs/saltmarsh/apps/tickets'],
  ['user', '/users/saltmarsh/apps/tickets'],
])('the address of an app says that its owner is of the kind %s', (type, address) => {
  expect(appPath({ name: 'tickets', owner: { name: 'saltmarsh', type } })).toBe(address);
});

test('what is empty leaves no trace in a query', () => {
  expect(withQuery('/health', { subscription: '', status: 'Active', since: undefined })).toBe('/health?status=Active');
  expect(withQuery('/health', {})).toBe('/health');
});

/** The first word of each address, as it would stand in a string. */
const literal = new RegExp(
  `['"\`]/(${[...new Set(Object.values(paths).map((one) => one.split('/')[1]))].filter((word) => word && !word.startsWith(':')).join('|')}|users)\\b`,
);

test('no address of a page stands anywhere but in the table', () => {
  const folder = import.meta.dirname;
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$/.test(file) && file !== 'paths.ts')
    .filter((file) => literal.test(readFileSync(path.join(folder, file), 'utf8')));
  expect(found).toEqual([]);
});
