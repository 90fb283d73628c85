import { expect, test } from 'vitest';
import type { App } from '../../api/apps.ts';
import { type AppFilter, filterApps, ownersOf } from './app-filter.ts';

const app = (name: string, os: App['os'], owner: string): App =>
  ({ display_name: name, name: name.toLowerCase(), os, owner: { name: owner, display_name: `The ${owner}` } }) as App;

const apps = [app('Compass', 'iOS', 'harbour'), app('Tide Table', 'Android', 'ada'), app('Compass', 'Android', 'ada')];
const found = (filter: AppFilter) => filterApps(apps, filter).map((each) => apps.indexOf(each));

test.each([
  [{}, [0, 1, 2]],
  [{ os: 'Android' }, [1, 2]],
  [{ owner: 'harbour' }, [0]],
  [{ os: 'iOS', owner: 'ada' }, []],
])('%j finds %j', (filter, indexes) => {
  expect(found(filter)).toEqual(indexes);
});

test('owners are offered once, by their display name', () => {
  expect(ownersOf(apps)).toEqual([
    { value: 'ada', label: 'The ada' },
    { value: 'harbour', label: 'The harbour' },
  ]);
});
