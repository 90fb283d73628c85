import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PackageKind } from '@mooring/contract';
import { expect, onTestFinished, test } from 'vitest';
import { png } from '../../../../../../tools/samples/images.ts';
import { chunk, createApk, createIpa, uint32s } from '../../../../../../tools/samples/packages.ts';
import { createZip } from '../../../../../../tools/samples/zips.ts';
import { runInProcess } from '../../../workers/one-process.ts';
import type { PackageMetadata } from './package-metadata.ts';

const module = new URL('./read-package.ts', import.meta.url);

/** Reads the package like the server does. Without limits, these packages would take hours or all memory. */
function read(kind: PackageKind, bytes: Uint8Array, memoryMb = 512): Promise<PackageMetadata> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'package');
  writeFileSync(file, bytes);
  return runInProcess(module, { file, kind }, { seconds: 60, memoryMb });
}

const MIB = 1024 * 1024;
const ICON = 0x7f010000;

/** A table with one resource, which has this value in every configuration. */
function createTable(configurations: number, value: Buffer, texts: Buffer = Buffer.alloc(0)): Buffer {
  const list = Buffer.concat([Buffer.alloc(64), uint32s(0)]);
  const head = Buffer.concat([Buffer.from([1, 0, 0, 0]), uint32s(1, 88), list.subarray(0, 64)]);
  const entry = Buffer.concat([uint32s(0), Buffer.from([8, 0, 0, 0]), uint32s(0), value]);
  const type = chunk(0x0201, head, entry);
  const header = Buffer.alloc(280);
  header.writeUInt32LE(0x7f, 0);
  const types = Buffer.concat(Array.from({ length: configurations }, () => type));
  return chunk(0x0002, uint32s(1), Buffer.concat([texts, chunk(0x0200, header, types)]));
}

test('stops at circular references in a thousand configurations', async () => {
  const itself = Buffer.concat([Buffer.from([8, 0, 0, 1]), uint32s(ICON)]);
  const apk = createApk({
    icon: { reference: ICON },
    more: [{ path: 'resources.arsc', content: createTable(1000, itself) }],
  });
  const { label, icon } = await read('apk', apk);
  expect([label, icon]).toEqual(['Compass', undefined]);
});

test('truncates a long text that a hundred thousand configurations refer to', async () => {
  const long = Buffer.alloc(4 * MIB, 'a');
  long.writeUInt16LE(0xffff, 0);
  long.writeUInt16LE(0xffff, 2);
  const texts = chunk(0x0001, uint32s(1, 0, 0, 32, 0), Buffer.concat([uint32s(0), long]));
  const value = Buffer.concat([Buffer.from([8, 0, 0, 3]), uint32s(0)]);
  const apk = createApk({
    icon: { reference: ICON },
    more: [{ path: 'resources.arsc', content: createTable(100_000, value, texts) }],
  });
  expect((await read('apk', apk)).icon).toBeUndefined();
  // A valid table for comparison.
  const name = Buffer.from(' res/a.png\0\0\0', 'utf16le');
  name.writeUInt16LE(9, 0);
  const icon = png(8, 8);
  const sound = createApk({
    icon: { reference: ICON },
    more: [
      {
        path: 'resources.arsc',
        content: createTable(2, value, chunk(0x0001, uint32s(1, 0, 0, 32, 0), Buffer.concat([uint32s(0), name]))),
      },
      { path: 'res/a.png', content: icon },
    ],
  });
  expect(Buffer.from((await read('apk', sound)).icon?.bytes ?? []).equals(icon)).toBe(true);
});

/** A manifest with these chunks. */
const createManifest = (...parts: Buffer[]) =>
  createZip([{ path: 'AndroidManifest.xml', content: chunk(0x0003, Buffer.alloc(0), Buffer.concat(parts)) }]);

test('refuses attributes outside of their element', async () => {
  const sizes = Buffer.alloc(12);
  for (const [place, value] of [20, 0, 0xffff].entries()) sizes.writeUInt16LE(value, place * 2);
  const element = chunk(0x0102, uint32s(1, 0), Buffer.concat([uint32s(0, 0), sizes]));
  const elements = Array.from({ length: 50_000 }, () => element);
  await expect(read('apk', createManifest(...elements))).rejects.toThrow(/damaged/);
});

test('reads string pools that overlap what follows as far as possible', async () => {
  // Each pool claims one text as long as the file.
  const text = Buffer.alloc(8);
  text.writeUInt16LE(0x80ff, 0);
  text.writeUInt16LE(0xffff, 2);
  const list = chunk(0x0001, uint32s(1, 0, 0, 32, 0), Buffer.concat([uint32s(0), text]));
  const lists = Array.from({ length: 100_000 }, () => list);
  await expect(read('apk', createManifest(...lists))).rejects.toThrow(/does not name the app/);
});

/** Binary property list with these objects, all in an array that repeats the first one. */
function createBinaryPlist(text: Buffer, times: number, places: number): Buffer {
  const magic = Buffer.from('bplist00');
  const number = (kind: number, count: number) => {
    const bytes = Buffer.alloc(6);
    bytes.writeUInt8((kind << 4) | 0xf, 0);
    bytes.writeUInt8(0x12, 1);
    bytes.writeUInt32BE(count, 2);
    return bytes;
  };
  const string = Buffer.concat([number(5, text.length), text]);
  const refs = Buffer.alloc(times * 3);
  for (let at = 0; at < times; at += 1) refs.writeUIntBE(at % places, at * 3, 3);
  const list = Buffer.concat([number(0xa, times), refs]);
  // Several objects can claim the same offset.
  const table = Buffer.alloc((places + 1) * 4);
  for (let at = 0; at < places; at += 1) table.writeUInt32BE(magic.length, at * 4);
  table.writeUInt32BE(magic.length + string.length, places * 4);
  const trailer = Buffer.alloc(32);
  trailer.writeUInt8(4, 6);
  trailer.writeUInt8(3, 7);
  trailer.writeBigUInt64BE(BigInt(places + 1), 8);
  trailer.writeBigUInt64BE(BigInt(places), 16);
  trailer.writeBigUInt64BE(BigInt(magic.length + string.length + list.length), 24);
  return Buffer.concat([magic, string, list, table, trailer]);
}

test.each([
  ['object', 1],
  ['place', 150_000],
])('a property list that repeats one long %s takes no more memory than the file', async (_, places) => {
  const info = createBinaryPlist(Buffer.alloc(2 * MIB, 'a'), 150_000, places);
  await expect(read('ipa', createIpa({ info }))).rejects.toThrow(/property list in the package is damaged/);
});

test('matches many icon names with many images efficiently', async () => {
  const many = 60_000;
  const names = Array.from({ length: many }, (_, at) => `<string>Icon${at}</string>`).join('');
  const info = `<plist><dict><key>CFBundleIdentifier</key><string>a.b</string><key>CFBundleVersion</key><string>1</string><key>CFBundleIconFiles</key><array>${names}</array></dict></plist>`;
  const more = Array.from({ length: many }, (_, at) => ({
    path: `Payload/Tides.app/Other${at}.png`,
    content: 'x',
    isStored: true as const,
  }));
  expect((await read('ipa', createIpa({ info, more }))).bundleIdentifier).toBe('a.b');
});

test('reads only the start of a large executable', async () => {
  const metadata = await read('ipa', createIpa({ program: Buffer.alloc(300 * MIB) }));
  expect([metadata.bundleIdentifier, metadata.hashes]).toEqual(['com.example.tides', []]);
});

test('refuses overlong names and versions, and truncates descriptive texts', async () => {
  const long = 'v'.repeat(2 * MIB);
  await expect(read('ipa', createIpa({ shortVersion: long }))).rejects.toThrow(
    /The version in the package is longer than 256/,
  );
  await expect(read('ipa', createIpa({ id: long }))).rejects.toThrow(
    /The identifier of the app in the package is longer/,
  );
  expect((await read('ipa', createIpa({ label: long }))).label).toHaveLength(256);
  const devices = Array.from({ length: 50_000 }, (_, at) => `device-${at}`);
  expect((await read('ipa', createIpa({ udids: devices }))).profile?.udids).toHaveLength(10_000);
  const permissions = Array.from({ length: 3000 }, (_, at) => `p${at}`);
  const more = Array.from({ length: 3000 }, (_, at) => ({
    path: `lib/cpu${at}/x`,
    content: 'x',
    isStored: true as const,
  }));
  const apk = await read('apk', createApk({ permissions, more }));
  expect([apk.permissions?.length, apk.architectures?.length]).toEqual([1000, 50]);
});

test('removes control characters from names and versions', async () => {
  const apk = await read('apk', createApk({ shortVersion: '1.4\0.0', label: 'Com\u0007pass\ud800', icon: png(8, 8) }));
  expect([apk.shortVersion, apk.label]).toEqual(['1.4.0', 'Compass\ufffd']);
});

test('refuses an RPM package whose entries all refer to one long text', async () => {
  const lead = Buffer.alloc(96);
  lead.writeUInt32BE(0xedabeedb, 0);
  const createHeader = (entries: number, texts: Buffer) => {
    const index = Buffer.alloc(16 + entries * 16);
    index.writeUInt32BE(0x8eade801, 0);
    index.writeUInt32BE(entries, 8);
    index.writeUInt32BE(texts.length, 12);
    for (let at = 1; at <= entries; at += 1) index.writeUInt32BE(1000, at * 16);
    return Buffer.concat([index, texts]);
  };
  const rpm = Buffer.concat([
    lead,
    createHeader(0, Buffer.alloc(0)),
    createHeader(10_000, Buffer.alloc(12 * MIB, 'a')),
    Buffer.alloc(1),
  ]);
  await expect(read('rpm', rpm)).rejects.toThrow(/longer than 256/);
});

test('reads an archive of 100,000 files, and refuses nested folders', async () => {
  const more = Array.from({ length: 100_000 }, (_, at) => ({
    path: `res/${at}.xml`,
    content: 'x',
    isStored: true as const,
  }));
  expect((await read('apk', createApk({ more }))).shortVersion).toBe('1.4.0');
  const deep = createZip([{ path: `${'a/'.repeat(200)}x`, content: 'x' }]);
  await expect(read('zip', deep)).rejects.toThrow(/more than 100 folders/);
});

test.runIf(existsSync('/usr/bin/prlimit'))('refuses a small package that expands beyond the memory limit', async () => {
  const apk = createApk({ more: [{ path: 'resources.arsc', content: Buffer.alloc(120 * MIB) }] });
  expect(apk.length).toBeLessThan(MIB);
  await expect(read('apk', apk, 96)).rejects.toThrow('Reading it takes more than 96 MiB of memory.');
});

test('refuses a table with excessive chunks or types', async () => {
  const tiny = Buffer.alloc(8);
  tiny.writeUInt16LE(0x0300, 0);
  tiny.writeUInt16LE(8, 2);
  tiny.writeUInt32LE(8, 4);
  const chunks = chunk(0x0002, uint32s(1), Buffer.concat(Array.from({ length: 200_001 }, () => tiny)));
  const apk = createApk({ more: [{ path: 'resources.arsc', content: chunks }] });
  await expect(read('apk', apk)).rejects.toThrow('more than 200000 chunks');
});
