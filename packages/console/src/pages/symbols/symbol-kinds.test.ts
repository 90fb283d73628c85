import { expect, test } from 'vitest';
import { isOfVersion, kindOf } from './symbol-kinds.ts';

test('files are known by their names, and what lies in a dSYM by where it lies', () => {
  const kinds = Object.entries({
    'Shop.app.dSYM/Contents/Resources/DWARF/Shop': 'Apple',
    'Shop.app.dSYM/Contents/Info.plist': undefined,
    'lib/arm64-v8a/libshop.so': 'Breakpad',
    'libshop.so.sym': 'Breakpad',
    'Shop.appxsym': 'UWP',
    'release/mapping.txt': 'AndroidProguard',
    'mapping-1.4.txt': 'AndroidProguard',
    'readme.txt': undefined,
    'index.android.bundle.map': 'JavaScript',
    'symbols.zip': 'Apple',
  });
  expect(kinds.map(([path]) => [path, kindOf(path, 'iOS')])).toEqual(kinds);
  expect([kindOf('native.zip', 'Android'), kindOf('app.zip', 'Windows')]).toEqual(['Breakpad', 'UWP']);
});

test('mappings and source maps belong to a version, images do not', () => {
  const kinds = ['Apple', 'AndroidProguard', 'JavaScript', 'Breakpad', 'UWP'] as const;
  expect(kinds.filter(isOfVersion)).toEqual(['AndroidProguard', 'JavaScript']);
});
