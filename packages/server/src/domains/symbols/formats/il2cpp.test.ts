import { expect, test } from 'vitest';
import { readLineMappings } from './il2cpp.ts';

const read = (value: unknown) => readLineMappings(Buffer.from(JSON.stringify(value)));
const mappings = {
  '/b/il2cppOutput/Game.cpp': { 'Assets/A.cs': { 10: 1, 30: 3 }, 'Assets/B.cs': { 20: 2 } },
  '/b/one/Same.cpp': { 'A.cs': { 1: 1 } },
  '/b/two/Same.cpp': { 'B.cs': { 1: 2 } },
};

test('finds the closest line before, up to five lines away', () => {
  const { find } = read(mappings);
  const lines = [9, 10, 15, 16, 20, 29, 30, 35, 36].map((line) => find('/b/il2cppOutput/Game.cpp', line));
  expect(lines.map((found) => found && `${found.file}:${found.line}`)).toEqual([
    undefined,
    'Assets/A.cs:1',
    'Assets/A.cs:1',
    undefined,
    'Assets/B.cs:2',
    undefined,
    'Assets/A.cs:3',
    'Assets/A.cs:3',
    undefined,
  ]);
});

test('finds a file in another folder by its name, unless two files have the name', () => {
  const { find } = read(mappings);
  expect(find('C:\\x\\Game.cpp', 20)).toEqual({ file: 'Assets/B.cs', line: 2 });
  expect(find('/other/Same.cpp', 1)).toBeUndefined();
  expect(find('/b/two/Same.cpp', 1)).toEqual({ file: 'B.cs', line: 2 });
});

test('reads the debug IDs, and omits invalid values', () => {
  const ids = { 'FFBE7929-DB1A-8BCD-307A-0102030405FF-1': {}, x: {} };
  const odd = { '/a.cpp': { 'A.cs': { 1: 0, x: 2, 3: 'y', 4: 1.5, 5: 5 }, 'B.cs': null, 'C.cs': [1] }, '/b.cpp': 3 };
  const { debugIds, find } = read({ '__debug-id__': ids, ...odd });
  expect(debugIds).toEqual(['ffbe7929db1a8bcd307a0102030405ff']);
  expect([1, 4, 5].map((line) => find('/a.cpp', line))).toEqual([undefined, undefined, { file: 'A.cs', line: 5 }]);
});

test.each([[], null, 'a', 1, {}, { '/a.cpp': {} }])('refuses %j', (value) => {
  expect(() => read(value)).toThrow(/line mappings of IL2CPP/);
});
