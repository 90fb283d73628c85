import { expect, test } from 'vitest';
import { detectSymbolKind, isVersioned } from './symbol-kinds.ts';

test('detects symbol files by name, and dSYM contents by path', () => {
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
  expect(kinds.map(([path]) => [path, detectSymbolKind(path, 'iOS')])).toEqual(kinds);
  expect([detectSymbolKind('native.zip', 'Android'), detectSymbolKind('app.zip', 'Windows')]).toEqual([
    'Breakpad',
    'UWP',
  ]);
});

test('only mappings and source maps belong to a version', () => {
  const kinds = ['Apple', 'AndroidProguard', 'JavaScript', 'Breakpad', 'UWP'] as const;
  expect(kinds.filter(isVersioned)).toEqual(['AndroidProguard', 'JavaScript']);
});
