import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { getPackageKind, type PackageKind } from '@mooring/contract';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { crushedPng, png } from '../../../../../../tools/samples/images.ts';
import { createApk, createIpa, createMacApp, createMsix, machO } from '../../../../../../tools/samples/packages.ts';
import { createZip } from '../../../../../../tools/samples/zips.ts';
import { runInProcess } from '../../../workers/one-process.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { androidHash } from './android/apk.ts';
import { certificateInBlock, certificateInPkcs7 } from './android/apk-signature.ts';
import { appleHash } from './apple/ipa.ts';
import { readPlist } from './apple/plist.ts';
import type { PackageMetadata } from './package-metadata.ts';
import { flatten, readPixels } from './pixels.ts';
import readPackage from './read-package.ts';
import { readXml } from './xml.ts';
import { unxz } from './xz.ts';

function writePackage(bytes: Uint8Array): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'package');
  writeFileSync(file, bytes);
  return file;
}
const read = (kind: PackageKind, bytes: Uint8Array): Promise<PackageMetadata> =>
  readPackage({ file: writePackage(bytes), kind });

test('computes the same hashes as SDKs', () => {
  expect(androidHash('com.example.app', '1.2.3', '42')).toBe(
    'cf8494ca62a8f04cecb7ffca5ccd2f39bf2ef3947400954ca8ed3f4b8820d580',
  );
  expect(appleHash('0f8fad5b-d9cb-469f-a165-70867728950e', '1.2.3', '42')).toBe(
    '00ab1fd4ae86a388cfaeaf493a286b3ca20ffc6dc1203c9a47437d063687c5e9',
  );
});

test('reads name, versions, label, permissions, architectures and icon of an APK', async () => {
  const icon = png(48, 48);
  const more = [{ path: 'lib/arm64-v8a/libx.so', content: 'x' }];
  const metadata = await read('apk', createApk({ icon, more }));
  expect(metadata).toMatchObject({
    bundleIdentifier: 'com.example.compass',
    version: '140',
    shortVersion: '1.4.0',
    label: 'Compass',
    minApiLevel: '26',
    minOs: '8.0',
    permissions: ['android.permission.INTERNET'],
    architectures: ['arm64-v8a'],
    hashes: [androidHash('com.example.compass', '1.4.0', '140')],
  });
  expect(Buffer.from(metadata.icon?.bytes ?? []).equals(icon)).toBe(true);
});

test('renders an adaptive icon like a launcher: both layers, cropped to the center', async () => {
  // Gray: 200 in the foreground, 100 in the background, which has another size.
  const grey = (size: number, value: number) =>
    png(
      size,
      size,
      Buffer.from(Array.from({ length: (size + 1) * size }, (_, at) => (at % (size + 1) === 0 ? 0 : value))),
    );
  const { icon } = await read('apk', createApk({ layers: { front: grey(108, 200), back: grey(54, 100) } }));
  const dots = readPixels(Buffer.from(icon?.bytes ?? []));
  expect([dots?.width, dots?.height, ...(dots?.rgba.subarray(0, 4) ?? [])]).toEqual([72, 72, 200, 200, 200, 255]);
  const clear = { width: 3, height: 3, rgba: Buffer.alloc(36, 128) };
  const flat = readPixels(flatten(clear, { color: 0xff000000 | 0x0000ff }));
  expect([...(flat?.rgba.subarray(0, 4) ?? [])]).toEqual([64, 64, 191, 255]);
  // Other images are returned unchanged; a claimed huge size takes no memory.
  const huge = png(8, 8);
  huge.writeUInt32BE(0x7fffffff, 16);
  for (const bytes of [huge, png(8, 8).subarray(0, 40), Buffer.from('x')]) expect(readPixels(bytes)).toBeUndefined();
});

test('reads the property lists, executable and profile of an IPA', async () => {
  const metadata = await read('ipa', createIpa());
  expect(metadata).toMatchObject({
    bundleIdentifier: 'com.example.tides',
    version: '42',
    shortVersion: '1.2.3',
    label: 'Tide Table',
    minOs: '15.0',
    deviceFamily: 'iPhone/iPad',
    architectures: ['arm64'],
    hashes: ['00ab1fd4ae86a388cfaeaf493a286b3ca20ffc6dc1203c9a47437d063687c5e9'],
    profile: {
      name: 'Tides Ad Hoc',
      type: 'adhoc',
      expiresAt: Date.parse('2030-01-01T00:00:00Z'),
      teamId: 'ABCDE12345',
      bundleId: 'com.example.tides',
      udids: ['00008030-000A1B2C3D4E5F60'],
    },
  });
  expect(metadata.icon?.type).toBe('image/png');
  expect((await read('ipa', createIpa({ udids: 'all' }))).profile?.type).toBe('enterprise');
  expect((await read('ipa', createIpa({ udids: [] }))).profile?.type).toBe('other');
});

test('a universal executable has a hash for each architecture', async () => {
  const uuids = ['0f8fad5b-d9cb-469f-a165-70867728950e', '1e7cbc4a-c8ba-358e-9054-6f756617849d'];
  const parts = uuids.map(machO);
  const program = Buffer.alloc(8192);
  program.writeUInt32BE(0xcafebabe, 0);
  program.writeUInt32BE(2, 4);
  for (const [number, part] of parts.entries()) {
    program.writeUInt32BE(4096 * (number + 1) - 2048, 16 + number * 20);
    part.copy(program, 4096 * (number + 1) - 2048);
  }
  const { hashes } = await read('ipa', createIpa({ program }));
  expect(hashes).toEqual(uuids.map((uuid) => appleHash(uuid, '1.2.3', '42')));
  expect((await read('ipa', createIpa({ program: Buffer.from('none') }))).hashes).toEqual([]);
});

test("converts an icon from Apple's tools for browsers", async () => {
  // Half-transparent orange, and an invisible pixel.
  const dots = Buffer.from([0, 64, 128, 128, 9, 9, 9, 0]);
  const { icon } = await read('ipa', createIpa({ icon: crushedPng(2, 1, dots) }));
  const { rgba } = readPixels(Buffer.from(icon?.bytes ?? [])) ?? {};
  expect([...(rgba ?? [])]).toEqual([255, 128, 0, 128, 0, 0, 0, 0]);
  const damaged = crushedPng(2, 1, dots);
  damaged.fill(0xff, damaged.indexOf('IDAT') + 4, damaged.indexOf('IEND') - 8);
  expect((await read('ipa', createIpa({ icon: damaged }))).bundleIdentifier).toBe('com.example.tides');
});

test('accepts symbolic links in the zip of a macOS app', async () => {
  expect(await read('app.zip', createMacApp())).toMatchObject({ shortVersion: '1.2.3', version: '42', minOs: '12.0' });
});

test('reads the manifest of a Windows package and its largest logo', async () => {
  const metadata = await read('msix', createMsix());
  expect(metadata).toMatchObject({
    bundleIdentifier: 'Example.Harbour',
    version: '2.1.0.0',
    shortVersion: '2.1.0.0',
    label: 'Harbour <Beta>',
    minOs: '10.0.17763.0',
    architectures: ['x64'],
  });
  expect(Buffer.from(metadata.icon?.bytes ?? []).equals(png(20, 20))).toBe(true);
  const bundle =
    '<Bundle><Identity Name="A.B" Version="1.0.0.0"/><Packages><Package Architecture="x64"/><Package Architecture="arm64"/></Packages></Bundle>';
  expect(
    await read('msixbundle', createZip([{ path: 'AppxMetadata/AppxBundleManifest.xml', content: bundle }])),
  ).toMatchObject({ bundleIdentifier: 'A.B', architectures: ['arm64', 'x64'] });
});

test('reads the inner package of a Microsoft Store upload', async () => {
  const sent = createZip([
    { path: 'Harbour_2.1.0.0_x64.appxsym', content: 'x' },
    { path: 'Harbour_2.1.0.0_x64.msix', content: createMsix(), isStored: true },
  ]);
  expect(await read('msixupload', sent)).toMatchObject({ bundleIdentifier: 'Example.Harbour', version: '2.1.0.0' });
  const bomb = createZip([{ path: 'a.msix', content: Buffer.alloc(8 * 1024 * 1024) }]);
  await expect(read('msixupload', bomb)).rejects.toThrow(/a\.msix in the package is larger/);
  await expect(read('msixupload', createZip([{ path: 'a.txt', content: 'x' }]))).rejects.toThrow(/no \.appx or \.msix/);
});

const isRefusal = (error: unknown): boolean => error instanceof Unreadable;

/** As dpkg-deb packs it, by default. */
const controlArchive = Buffer.from(
  '/Td6WFoAAATm1rRGBMDgAYBQIQEWAAAAAAAAAJ/Dh3vgJ/8A2F0AFwu8HH0BlcAdSj55FcLMJqNjFmW93Vfh8o/ifnU1hXxeAJvYxFIMJxWRnVOR' +
    'Cudk57b8qrfKAapz4BlxrFa5TMtT/tw0D1RveGl+9h+Tjxxp1IdHuB86L/PKv1a7k8CPriIaQb4LO/+qkf0DFRnMt/EJdLXYnavu3g2nYqK0r0PR' +
    'eMJN/Qe7uEIhUW/cM1fjiG6twqajNHEPqQ/YZtoyoPDOaq/G+uDMVHBXvoU3fGJoQH0VS6S8u0abQWFtgLOVKhkVOw8kHDp5pnla6aLSILsTiECf' +
    'm+/zAAY6VKNsqtGoAAH8AYBQAACEvIAdscRn+wIAAAAABFla',
  'base64',
);

const createDeb = (name: string, content: Buffer): Buffer => {
  const member = (name: string, content: Buffer) =>
    Buffer.concat([
      Buffer.from(`${name.padEnd(16)}${'0'.padEnd(32)}${String(content.length).padEnd(10)}\`\n`),
      content,
      Buffer.alloc(content.length % 2),
    ]);
  return Buffer.concat([
    Buffer.from('!<arch>\n'),
    member('debian-binary', Buffer.from('2.0\n')),
    member(name, content),
  ]);
};

function controlTar(size?: string): Buffer {
  const control = 'Package: harbour\nVersion: 3.1-1\nArchitecture: amd64\n';
  const header = Buffer.alloc(512);
  header.write(size === undefined ? './control' : './other', 0);
  header.write(size ?? control.length.toString(8).padStart(11, '0'), 124);
  return Buffer.concat([header, Buffer.from(control.padEnd(512, '\0')), Buffer.alloc(1024)]);
}

test.each([
  ['control.tar.gz', gzipSync(controlTar())],
  ['control.tar.zst', zstdCompressSync(controlTar())],
  ['control.tar.xz', controlArchive],
  ['control.tar/', controlTar()],
])('reads the %s of a Debian package', async (name, packed) => {
  expect(await read('deb', createDeb(name, packed))).toEqual({
    bundleIdentifier: 'harbour',
    version: '3.1-1',
    shortVersion: '3.1-1',
    architectures: ['amd64'],
  });
});

test.each<[string, Buffer, RegExp]>([
  ['control.tar.gz', Buffer.from('x'), /control\.tar\.gz in the package is damaged/],
  ['control.tar.gz', gzipSync(Buffer.alloc(17 * 1024 * 1024)), /or larger than/],
  ['control.tar.gz', gzipSync(controlTar('-0000001000')), /damaged/],
  ['control.tar.xz', Buffer.from('x'), /damaged/],
  ['control.tar.xz', controlArchive.subarray(0, 200), /damaged/],
  ['control.tar.lzma', controlArchive, /unsupported compression/],
])('refuses a Debian package with a broken %s', async (name, packed, message) => {
  await expect(read('deb', createDeb(name, packed))).rejects.toThrow(message);
});

test('unpacks or refuses damaged xz data', () => {
  fc.assert(
    fc.property(fc.nat(controlArchive.length - 1), fc.nat(255), (at, value) => {
      const bytes = Buffer.from(controlArchive);
      bytes[at] = value;
      try {
        unxz(bytes, 65_536);
      } catch (error) {
        if (!isRefusal(error) && !(error instanceof RangeError)) throw error;
      }
    }),
    { numRuns: 500 },
  );
});

/** A header of an RPM package with these texts by tag. */
function rpmHeader(texts: Record<number, string>): Buffer {
  const entries = Object.entries(texts);
  const index = Buffer.alloc(16 + entries.length * 16);
  index.writeUInt32BE(0x8eade801, 0);
  index.writeUInt32BE(entries.length, 8);
  let at = 0;
  for (const [n, [tag, text]] of entries.entries()) {
    index.writeUInt32BE(Number(tag), 16 + n * 16);
    index.writeUInt32BE(6, 20 + n * 16);
    index.writeUInt32BE(at, 24 + n * 16);
    index.writeUInt32BE(1, 28 + n * 16);
    at += text.length + 1;
  }
  index.writeUInt32BE(at, 12);
  return Buffer.concat([index, Buffer.from(entries.map(([, text]) => `${text}\0`).join(''))]);
}

test('reads the header of an RPM package after its signature header', async () => {
  const lead = Buffer.alloc(96);
  lead.writeUInt32BE(0xedabeedb, 0);
  const signatures = rpmHeader({ 269: 'abc' });
  const filled = Buffer.concat([signatures, Buffer.alloc((8 - (signatures.length % 8)) % 8)]);
  const header = rpmHeader({ 1000: 'harbour', 1001: '3.1', 1002: '2', 1006: 'told to nobody', 1022: 'aarch64' });
  expect(await read('rpm', Buffer.concat([lead, filled, header]))).toEqual({
    bundleIdentifier: 'harbour',
    shortVersion: '3.1',
    version: '3.1-2',
    architectures: ['aarch64'],
  });
  const damaged = Buffer.concat([lead, filled, header.subarray(0, 30)]);
  await expect(read('rpm', damaged)).rejects.toThrow(/damaged/);
});

test('an AppImage names its architecture', async () => {
  const bytes = Buffer.alloc(64);
  bytes.write('\x7fELF\x02\x01\x01\0AI\x02', 'latin1');
  bytes.writeUInt16LE(183, 18);
  expect(await read('appimage', bytes)).toEqual({ architectures: ['aarch64'] });
});

/** A protobuf field with bytes. */
const field = (number: number, content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content);
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7];
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
};
const attribute = (name: string, value: string) => field(4, Buffer.concat([field(2, name), field(3, value)]));
const element = (name: string, ...parts: Buffer[]) => field(1, Buffer.concat([field(3, name), ...parts]));

test('reads the manifest of an Android app bundle', async () => {
  const manifest = element(
    'manifest',
    attribute('package', 'com.example.app'),
    attribute('versionCode', '42'),
    attribute('versionName', '1.2.3'),
    field(5, element('uses-sdk', attribute('minSdkVersion', '26'))),
    field(5, element('uses-permission', attribute('name', 'android.permission.CAMERA'))),
  );
  expect(
    await read('aab', createZip([{ path: 'base/manifest/AndroidManifest.xml', content: manifest }])),
  ).toMatchObject({
    bundleIdentifier: 'com.example.app',
    version: '42',
    shortVersion: '1.2.3',
    minApiLevel: '26',
    permissions: ['android.permission.CAMERA'],
    hashes: ['cf8494ca62a8f04cecb7ffca5ccd2f39bf2ef3947400954ca8ed3f4b8820d580'],
  });
});

test('resolves label and icon of an app bundle through its resource table', async () => {
  const entry = (name: string, ...values: Buffer[]) =>
    field(3, Buffer.concat([field(2, name), ...values.map((value) => field(6, value))]));
  const value = (item: Buffer, locale = '') =>
    Buffer.concat([field(1, locale === '' ? '' : field(3, locale)), field(2, field(4, item))]);
  const text = (message: string, locale = '') => value(field(2, field(1, message)), locale);
  const file = (path: string) => value(field(5, field(1, path)));
  const reference = (name: string) => value(field(1, field(3, name)));
  const type = (name: string, ...entries: Buffer[]) => field(3, Buffer.concat([field(2, name), ...entries]));
  const table = field(
    2,
    Buffer.concat([
      type('string', entry('name', text('Gezeiten', 'de'), text('Tides'))),
      type(
        'mipmap',
        entry('icon', reference('mipmap/round'), file('res/mipmap-anydpi-v26/icon.xml')),
        entry(
          'round',
          file('res/mipmap-hdpi-v4/a.png'),
          file('res/mipmap-xxhdpi-v4/b.png'),
          file('res/mipmap-xhdpi-v4/c.webp'),
        ),
        entry('circle', reference('mipmap/circle')),
      ),
    ]),
  );
  const icon = png(144, 144);
  const bundle = (named: string) =>
    createZip([
      {
        path: 'base/manifest/AndroidManifest.xml',
        content: element(
          'manifest',
          attribute('package', 'com.example.app'),
          field(5, element('application', attribute('label', '@string/name'), attribute('icon', named))),
        ),
      },
      { path: 'base/resources.pb', content: table },
      { path: 'base/res/mipmap-hdpi-v4/a.png', content: png(72, 72) },
      { path: 'base/res/mipmap-xxhdpi-v4/b.png', content: icon },
    ]);
  const whole = await read('aab', bundle('@mipmap/icon'));
  expect([whole.label, whole.icon?.type, whole.icon && Buffer.from(whole.icon.bytes).equals(icon)]).toEqual([
    'Tides',
    'image/png',
    true,
  ]);
  expect((await read('aab', bundle('@mipmap/circle'))).icon).toBeUndefined();
});

test.each<[PackageKind, Uint8Array, RegExp]>([
  ['apk', Buffer.from('not an archive'), /Invalid archive/],
  ['apk', createZip([{ path: 'a', content: 'x' }]), /no AndroidManifest.xml/],
  ['apk', createZip([{ path: 'AndroidManifest.xml', content: '<manifest/>' }]), /is not compiled/],
  ['apk', createZip([{ path: '../AndroidManifest.xml', content: 'x' }]), /Invalid archive|not a valid file name/],
  ['apk', createZip([{ path: 'AndroidManifest.xml', content: 'x', claims: 1e9 }]), /larger than|Invalid archive/],
  ['ipa', createApk(), /no Payload/],
  ['aab', createApk(), /no base\/manifest/],
  ['msix', createZip([{ path: 'AppxManifest.xml', content: '<Package' }]), /XML file in the package is damaged/],
  [
    'msix',
    createZip([{ path: 'AppxManifest.xml', content: '<Package/>' }]),
    /lacks the name of the app or its version/,
  ],
  ['dmg', Buffer.from('x'), /not a disk image/],
  ['pkg', Buffer.from('x'), /not an installer package/],
  ['msi', Buffer.from('x'), /not a Windows installer/],
  ['deb', Buffer.from('x'), /Debian package/],
  ['rpm', Buffer.from('x'), /RPM package/],
  ['appimage', Buffer.from('x'), /AppImage/],
  ['zip', Buffer.from('x'), /Invalid archive/],
])('refuses a .%s of another format with a clear message', async (kind, bytes, message) => {
  await expect(read(kind, bytes)).rejects.toThrow(message);
  await expect(read(kind, bytes)).rejects.toBeInstanceOf(Unreadable);
});

test('reads or refuses damaged packages, and never hangs', { timeout: 120_000 }, async () => {
  const packages: [PackageKind, Buffer][] = [
    ['apk', createApk({ icon: png(8, 8) })],
    ['ipa', createIpa()],
    ['msix', createMsix()],
    ['deb', createDeb('control.tar.gz', gzipSync(controlTar()))],
    ['deb', createDeb('control.tar.xz', controlArchive)],
  ];
  for (const [kind, whole] of packages) {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (at, value, isCut) => {
        const bytes = Buffer.from(isCut ? whole.subarray(0, at) : whole);
        if (!isCut) bytes[at] = value;
        const folder = mkdtempSync(path.join(tmpdir(), 'mooring-package-'));
        const file = path.join(folder, 'package');
        writeFileSync(file, bytes);
        try {
          await readPackage({ file, kind });
        } catch (error) {
          if (!isRefusal(error)) throw error;
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 60 },
    );
  }
});

test('refuses a damaged manifest in a valid archive', () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (noise) => {
      const bytes = Buffer.concat([Buffer.from([3, 0, 8, 0]), noise]);
      const folder = mkdtempSync(path.join(tmpdir(), 'mooring-package-'));
      const file = path.join(folder, 'package');
      writeFileSync(file, createZip([{ path: 'AndroidManifest.xml', content: bytes }]));
      try {
        await expect(readPackage({ file, kind: 'apk' })).rejects.toSatisfy(isRefusal);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: 100 },
  ));

test('reads a package in a separate process', async () => {
  const module = new URL('./read-package.ts', import.meta.url);
  const limits = { seconds: 60, memoryMb: 256 };
  const metadata = await runInProcess<PackageMetadata>(
    module,
    { file: writePackage(createApk()), kind: 'apk' },
    limits,
  );
  expect(metadata.bundleIdentifier).toBe('com.example.compass');
  await expect(
    runInProcess(module, { file: writePackage(Buffer.from('x')), kind: 'apk' }, limits),
  ).rejects.toBeInstanceOf(Unreadable);
});

test('reads both forms of property lists, and expands no entities', () => {
  // <dict><key>a</key><string>b</string><key>n</key><integer>7</integer></dict>
  const binary = Buffer.from(
    '62706c6973743030d2010203045161516e51621007080d0f111300000000000001010000000000000005000000000000000000000000000000' +
      '15',
    'hex',
  );
  expect({ ...readPlist(binary) }).toEqual({ a: 'b', n: 7 });
  const bomb =
    '<!DOCTYPE plist [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><plist><dict><key>a</key><string>&b;</string></dict></plist>';
  expect({ ...readPlist(Buffer.from(bomb)) }).toEqual({ a: '&b;' });
  expect(() => readPlist(Buffer.from('bplist00'))).toThrow(Unreadable);
});

test.each(['', '<a>', '</a>', '<a></a></b>', '<a b=c/>', `<a>${'<b>'.repeat(200)}`])('%j is not XML', (xml) =>
  expect(() => readXml(xml)).toThrow(Unreadable),
);

test('finds certificates in both places, and none in noise', () => {
  const certificate = Buffer.from('a certificate');
  const framed = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const signedData = Buffer.concat([framed(Buffer.from('digests')), framed(framed(certificate))]);
  const value = framed(framed(framed(signedData)));
  const pair = Buffer.alloc(12);
  pair.writeBigUInt64LE(BigInt(value.length + 4), 0);
  pair.writeUInt32LE(0x7109871a, 8);
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(pair.length + value.length + 24));
  const block = Buffer.concat([size, pair, value, size, Buffer.from('APK Sig Block 42')]);
  expect(certificateInBlock(block)).toBe(hash('sha256', certificate, 'hex'));
  expect(certificateInBlock(Buffer.from('noise'))).toBeUndefined();
  fc.assert(
    fc.property(fc.uint8Array(), (noise) => {
      certificateInPkcs7(Buffer.from(noise));
      certificateInBlock(Buffer.concat([Buffer.from(noise), Buffer.from('APK Sig Block 42')]));
    }),
  );
});

test('detects the package kind by the longest file extension', () => {
  expect(['a.app.zip', 'a.ZIP', 'a.apk', 'a.tar', 'apk'].map(getPackageKind)).toEqual([
    'app.zip',
    'zip',
    'apk',
    undefined,
    undefined,
  ]);
});
