import { expect, test } from 'vitest';
import { createApk, createIpa } from '../../../../../tools/samples/packages.ts';
import { recognize } from './recognize.ts';

const file = (name: string, content: string | Uint8Array<ArrayBuffer>) => new File([content], name);
const bytes = (buffer: Buffer) => new Uint8Array(buffer);
const inShort = async (one: File, path?: string) => {
  const found = await recognize(one, path);
  return found?.kind === 'symbols' ? found.symbolKind : found?.kind;
};

/** An archive without content. */
function zip(...names: string[]): Uint8Array<ArrayBuffer> {
  const encoded = names.map((name) => new TextEncoder().encode(name));
  const entries = encoded.map((name) => {
    const entry = Buffer.alloc(46 + name.length);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(name.length, 28);
    entry.set(name, 46);
    return entry;
  });
  const head = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(Buffer.concat(entries).length, 12);
  end.writeUInt32LE(head.length, 16);
  return new Uint8Array(Buffer.concat([head, ...entries, end]));
}

test('recognizes packages by their content, under any name', async () => {
  expect(await recognize(file('app.apk', bytes(createApk())))).toMatchObject({
    kind: 'package',
    systems: ['Android', 'Custom'],
  });
  expect(await recognize(file('download.zip', bytes(createApk())))).toMatchObject({ label: 'Package (.apk)' });
  expect(await recognize(file('app.ipa', bytes(createIpa({}))))).toMatchObject({
    kind: 'package',
    systems: ['iOS', 'tvOS', 'Custom'],
  });
  expect(await inShort(file('setup.msi', new Uint8Array([0xd0, 0xcf, 0])))).toBe('package');
});

test('recognizes symbols by their content', async () => {
  const r8 = '# compiler: R8\n# pg_map_id: abc\nexample.Tickets -> a.a:\n    void open() -> a\n';
  expect(await inShort(file('anything.txt', r8))).toBe('AndroidProguard');
  expect(await inShort(file('old.txt', 'example.Tickets -> a.a:\n    void open() -> a\n'))).toBe('AndroidProguard');
  expect(await inShort(file('index.js', '{"version":3,"sources":[],"mappings":""}'))).toBe('JavaScript');
  expect(await inShort(file('lib.sym', 'MODULE Linux arm64 ABC libapp.so\n'))).toBe('Breakpad');
  expect(await inShort(file('libapp.so', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2])))).toBe('Breakpad');
  expect(await inShort(file('App', new Uint8Array([0xcf, 0xfa, 0xed, 0xfe])))).toBe('Apple');
  expect(await inShort(file('a.zip', zip('App.app.dSYM/Contents/Info.plist')))).toBe('Apple');
  expect(await inShort(file('a.zip', zip('arm64-v8a/', 'arm64-v8a/libapp.so')))).toBe('Breakpad');
  expect(await inShort(file('App', 'x'), 'App.dSYM/Contents/Resources/DWARF/App')).toBe('Apple');
});

test('recognizes test reports', async () => {
  expect(await inShort(file('report.xml', '<?xml version="1.0"?>\n<!-- by a tool -->\n<testsuites tests="1">'))).toBe(
    'tests',
  );
  expect(await inShort(file('TEST-a.xml', '<testsuite name="a"/>'))).toBe('tests');
});

test.each([
  ['notes.txt', 'Bring bread -> and wine'],
  ['pom.xml', '<project></project>'],
  ['package.json', '{"version":"3.0.0","name":"x"}'],
  ['empty.txt', ''],
  ['readme.md', '# compiler'],
])('does not recognize %s', async (name, text) => {
  expect(await recognize(file(name, text))).toBeUndefined();
});

test('survives a damaged archive', async () => {
  const whole = zip('a'.repeat(100));
  expect(await inShort(file('a.zip', whole.slice(0, 60)))).toBe('package');
  whole.fill(255, 30, 60);
  expect(await inShort(file('a.bin', whole))).toBeUndefined();
});
