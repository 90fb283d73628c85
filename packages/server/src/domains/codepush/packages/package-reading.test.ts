import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createZip, type ZipPart } from '../../../../../../tools/samples/zips.ts';
import { runInProcess } from '../../../workers/one-process.ts';
import { applyDiff, diffFiles, hashFiles } from './package-files.ts';
import { makeDiff, type ReadPackage, readPackage } from './package-reading.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'packages-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function put(content: Uint8Array | string): string {
  files += 1;
  const file = path.join(folder, `${files}.zip`);
  writeFileSync(file, content);
  return file;
}
const read = (...parts: ZipPart[]) => readPackage(put(createZip(parts)));

const bundle: ZipPart = { path: 'CodePush/main.jsbundle', content: 'x\n' };
const asset: ZipPart = { path: 'CodePush/assets/a.png', content: '' };
const BOTH = '079349b652e866d83b1aec32089a9a3532ea7fe49470f791d453b87676fcb711';
const ALONE = 'ab30044b3e86d4f67c2fbd1ff7130ce37c9191788e928bb4d69c6c42481dced6';

describe('the hash of a package', () => {
  test.each<[string, ZipPart[], string]>([
    ['is that of its files', [bundle, asset], BOTH],
    ['does not depend on their order', [asset, bundle], BOTH],
    ['does not depend on how they are packed', [{ ...bundle, isStored: true }, asset], BOTH],
    ['differs when a file is missing', [bundle], ALONE],
    [
      'leaves out what macOS adds',
      [bundle, { path: '__MACOSX/CodePush/._main.jsbundle' }, { path: 'CodePush/.DS_Store' }],
      ALONE,
    ],
    ['leaves out the signature', [bundle, { path: 'CodePush/.codepushrelease', content: 'eyJ' }], ALONE],
    ['leaves out folders', [{ path: 'CodePush/', mode: 0o040755 }, bundle], ALONE],
    ['reads what Windows writes between folders', [{ path: 'CodePush\\main.jsbundle', content: 'x\n' }], ALONE],
  ])('%s', async (_what, parts, packageHash) => {
    expect(await read(...parts)).toMatchObject({ packageHash, isZip: true });
  });

  test('is that of the file if it is not an archive', async () => {
    expect(await readPackage(put('x\n'))).toEqual({
      packageHash: '73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac',
      isZip: false,
      fileCount: 1,
    });
  });
});

describe('rejects a package', () => {
  test.each<[string, ZipPart[], RegExp]>([
    [
      'with a symbolic link',
      [bundle, { path: 'CodePush/etc', content: '/etc/passwd', mode: 0o120777 }],
      /CodePush\/etc.*Remove symbolic links/,
    ],
    ['with a device', [{ path: 'CodePush/null', mode: 0o020666 }], /neither a file nor a folder/],
    ['with a way out', [bundle, { path: '../evil.js' }], /\.\.\/evil\.js/],
    ['with a way out in the middle', [{ path: 'CodePush/../../evil.js' }], /CodePush\/\.\.\/\.\.\/evil\.js/],
    ['with a way out of Windows', [{ path: 'CodePush\\..\\..\\evil.js' }], /evil\.js/],
    ['with an absolute name', [{ path: '/etc/passwd' }], /absolute path/],
    ['with a drive', [{ path: 'C:/evil.js' }], /absolute path/],
    ['with a name of nothing', [{ path: 'CodePush//a' }], /not a valid file name/],
    ['with a dot as a folder', [{ path: 'CodePush/./a' }], /not a valid file name/],
    ['with a NUL in a name', [{ path: 'CodePush/a\0b' }], /not a valid file name/],
    ['with a name that is too long', [{ path: `CodePush/${'a'.repeat(1000)}` }], /not a valid file name/],
    ['with the same file twice', [bundle, bundle], /two files at "CodePush\/main\.jsbundle"/],
    ['with a file where a folder is', [bundle, { path: 'CodePush' }], /a file and a folder at "CodePush"/],
    ['with a folder where a file is', [{ path: 'CodePush' }, bundle], /a file and a folder at "CodePush"/],
    ['with a password', [{ ...bundle, isEncrypted: true }], /encrypted/],
    ['with a file that is damaged', [{ ...bundle, crc: 1 }], /main\.jsbundle" is damaged/],
    [
      'with a file that is larger than it says',
      [{ path: 'a', content: 'x'.repeat(5000), claims: 10 }],
      /too many bytes/,
    ],
    ['with a file that is smaller than it says', [{ path: 'a', content: 'x', claims: 10 }], /not enough bytes/],
    ['with a file that has two names', [{ path: 'a', listedAs: 'b' }], /"b" has different names/],
    [
      'with files that share their bytes',
      [
        { path: 'a', content: 'x'.repeat(100), isStored: true },
        ...Array.from(
          { length: 9 },
          (_, n): ZipPart => ({
            path: 'a',
            listedAs: `a${n}`,
            content: 'x'.repeat(100),
            isStored: true,
            isOverlapping: true,
          }),
        ),
      ],
      /different names|overlap/,
    ],
    ['that says to be a diff', [bundle, { path: 'hotcodepush.json', content: '{}' }], /hotcodepush\.json/],
    ['with nothing but what macOS adds', [{ path: '__MACOSX/a' }], /without files/],
  ])('%s', async (_what, parts, message) => {
    await expect(read(...parts)).rejects.toThrow(message);
    await expect(read(...parts)).rejects.toMatchObject({ name: 'Unreadable' });
  });

  test('that would decompress beyond the limit, before decompressing it', async () => {
    await expect(read({ path: 'a', content: 'x', claims: 2 ** 31 - 1 }, { path: 'b', claims: 2 })).rejects.toThrow(
      /not enough bytes|inflates to more than 2147483648 bytes/,
    );
    await expect(read({ path: 'a', claims: 2 ** 32 - 2 })).rejects.toThrow('inflates to more than 2147483648 bytes');
  });

  test('with too many files, before reading them', async () => {
    const many = Array.from({ length: 100_000 }, (_, n): ZipPart => ({ path: `CodePush/${n}`, isStored: true }));
    await expect(readPackage(put(createZip(many)))).rejects.toThrow('The archive has more than 50000 files.');
    for (const says of [60_000, 100_000, 2 ** 40])
      await expect(readPackage(put(createZip([bundle], { says })))).rejects.toThrow('more than 50000 files');
  });

  test.each([
    ['empty', Buffer.alloc(0), /empty/],
    ['an archive without files', createZip([]), /without files/],
    ['cut off', createZip([bundle, asset]).subarray(0, 60), /Invalid archive/],
    ['the beginning of an archive', Buffer.from('PK\x03\x04'), /Invalid archive/],
  ])('that is %s', async (_what, content, message) => {
    await expect(readPackage(put(content))).rejects.toThrow(message);
  });

  test('with corrupted bytes, or reads it completely', async () => {
    const whole = createZip([bundle, asset, { path: 'CodePush/b.txt', content: 'hello '.repeat(50) }]);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        const outcome = await readPackage(put(changed)).catch((error: Error) => error);
        if (outcome instanceof Error) expect(outcome.name).toBe('Unreadable');
        else expect(outcome.packageHash).toMatch(/^[0-9a-f]{64}$/);
      }),
      { numRuns: 200 },
    );
  });
});

test('is read in a separate process, with the same error messages', async () => {
  const module = new URL('./package-reading.ts', import.meta.url);
  const limits = { seconds: 60, memoryMb: 128 };
  const file = put(createZip([bundle, asset]));
  expect(await runInProcess<ReadPackage>(module, { read: file }, limits)).toMatchObject({ packageHash: BOTH });
  const bad = put(createZip([bundle, bundle]));
  await expect(runInProcess(module, { read: bad }, limits)).rejects.toMatchObject({
    name: 'Unreadable',
    message: 'The archive has two files at "CodePush/main.jsbundle".',
  });
  await expect(runInProcess(module, { read: path.join(folder, 'nowhere') }, limits)).rejects.toThrow('ENOENT');
});

describe('a diff', () => {
  const big = 'The quick brown fox. '.repeat(2000);
  const before: ZipPart[] = [
    { path: 'CodePush/main.jsbundle', content: 'one' },
    {
      path: 'CodePush/big.txt',
      content: Buffer.from(Array.from({ length: 20_000 }, (_, n) => (n * 7919 + (n >> 3)) & 255)),
    },
    { path: 'CodePush/old.png', content: 'old' },
    { path: 'CodePush/.codepushrelease', content: 'signed one' },
  ];
  const after: ZipPart[] = [
    { path: 'CodePush/main.jsbundle', content: 'two' },
    before[1] as ZipPart,
    { path: 'CodePush/new/a b.txt', content: big },
    { path: 'CodePush/.codepushrelease', content: 'signed two' },
  ];

  async function make(oldParts: ZipPart[], newParts: ZipPart[]) {
    const newFile = put(createZip(newParts));
    const { packageHash } = await readPackage(newFile);
    const diffFile = path.join(folder, `${files}.diff`);
    const size = await makeDiff({ oldFile: put(createZip(oldParts)), newFile, diffFile, packageHash });
    return { size, diffFile };
  }

  test('contains new files and lists deleted ones; the signature is included', async () => {
    const { size, diffFile } = await make(before, after);
    const diff = readFileSync(diffFile);
    expect(size).toBe(diff.length);
    expect(size).toBeLessThan(createZip(after).length / 2);
    const names = diff.toString('latin1');
    for (const name of [
      'hotcodepush.json',
      'CodePush/main.jsbundle',
      'CodePush/new/a b.txt',
      'CodePush/.codepushrelease',
    ])
      expect(names).toContain(name);
    expect(names).not.toContain('CodePush/big.txt');
  });

  test('has the same bytes each time', async () => {
    const [one, two] = [await make(before, after), await make(before, after)];
    expect(readFileSync(one.diffFile).equals(readFileSync(two.diffFile))).toBe(true);
  });

  test('is not created where the whole package is smaller', async () => {
    expect((await make([bundle], [{ path: 'a', content: 'other' }])).size).toBeUndefined();
  });

  test('is not used if applying it results in another package', async () => {
    const newFile = put(createZip(after));
    const request = {
      oldFile: put(createZip(before)),
      newFile,
      diffFile: path.join(folder, 'wrong.diff'),
      packageHash: ALONE,
    };
    await expect(makeDiff(request)).rejects.toThrow(/produced a package with hash [0-9a-f]{64} instead of ab30/);
  });

  test('turns any package into any other', () => {
    const some = fc.dictionary(fc.constantFrom('a', 'b', 'c/d', 'c/.codepushrelease'), fc.constantFrom('1', '2', '3'));
    fc.assert(
      fc.property(some, some, (one, other) => {
        const [before, after] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
        const { changed, deleted } = diffFiles(before, after);
        const files = new Map([...after].filter(([path]) => changed.includes(path)));
        const made = applyDiff(before, { deleted, files });
        expect(Object.fromEntries(made)).toEqual(Object.fromEntries(after));
        expect(hashFiles(made)).toBe(hashFiles(after));
      }),
    );
  });
});
