import { expect, test } from 'vitest';
import { blockIdsIn } from './block-list.ts';
import { readContentRange } from './chunks.ts';
import { cleanFileName, getFileContentType } from './file-names.ts';

test.each([
  ['app.apk', 'app.apk'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Builds\\app 1.msix', 'app 1.msix'],
  ['a\r\nb"<script>.ipa', 'a__b__script_.ipa'],
  ['photo\u202egpj.exe', 'photo_gpj.exe'],
  ['..', undefined],
  ['', undefined],
  ['a/', undefined],
])('%j becomes %j', (name, clean) => expect(cleanFileName(name)).toBe(clean));

test('keeps the extension of a name that is too long', () => {
  const clean = cleanFileName(`${'ä'.repeat(500)}.apk`) ?? '';
  expect([[...clean].length, clean.endsWith('ä.apk')]).toEqual([200, true]);
});

test('chooses the content type by extension, never that of a page', () => {
  expect(getFileContentType('A.APK')).toBe('application/vnd.android.package-archive');
  expect([getFileContentType('a.html'), getFileContentType('a'), getFileContentType('a.svg')]).toEqual(
    Array(3).fill('application/octet-stream'),
  );
});

test.each(['bytes 0-9', 'bytes 5-4/10', 'bytes 0-10/10', 'bytes a-b/c', 'items 0-1/2', ''])(
  'refuses the range %j',
  (header) => expect(() => readContentRange(header)).toThrow(/Content-Range/),
);

test('reads block IDs in order from any list', () => {
  const xml =
    '<?xml version="1.0"?><BlockList><Latest>Qg==</Latest><Uncommitted> QQ== </Uncommitted><x>1</x></BlockList>';
  expect(blockIdsIn(xml)).toEqual(['Qg==', 'QQ==']);
});
