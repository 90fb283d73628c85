import { expect, test } from 'vitest';
import { blockIdsIn } from './block-list.ts';
import { cleanFileName, typeOfFile } from './file-names.ts';
import { readContentRange } from './pieces.ts';

test.each([
  ['app.apk', 'app.apk'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Builds\\app 1.msix', 'app 1.msix'],
  ['a\r\nb"<script>.ipa', 'a__b__script_.ipa'],
  ['photo\u202egpj.exe', 'photo_gpj.exe'],
  ['..', undefined],
  ['', undefined],
  ['a/', undefined],
])('%j is kept as %j', (name, clean) => expect(cleanFileName(name)).toBe(clean));

test('a name that is too long keeps its ending', () => {
  const clean = cleanFileName(`${'ä'.repeat(500)}.apk`) ?? '';
  expect([[...clean].length, clean.endsWith('ä.apk')]).toEqual([200, true]);
});

test('what a file is served as follows its ending, and is never a page', () => {
  expect(typeOfFile('A.APK')).toBe('application/vnd.android.package-archive');
  expect([typeOfFile('a.html'), typeOfFile('a'), typeOfFile('a.svg')]).toEqual(
    Array(3).fill('application/octet-stream'),
  );
});

test.each(['bytes 0-9', 'bytes 5-4/10', 'bytes 0-10/10', 'bytes a-b/c', 'items 0-1/2', ''])(
  '%j is no range of a file',
  (header) => expect(() => readContentRange(header)).toThrow(/Content-Range/),
);

test('ids of blocks are read in their order, whatever list they are in', () => {
  const xml =
    '<?xml version="1.0"?><BlockList><Latest>Qg==</Latest><Uncommitted> QQ== </Uncommitted><x>1</x></BlockList>';
  expect(blockIdsIn(xml)).toEqual(['Qg==', 'QQ==']);
});
