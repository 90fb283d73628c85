import { png } from './images.ts';
import { createZip, type ZipPart } from './zips.ts';

/** Minimal packages in the formats of each system. */

export function chunk(type: number, header: Buffer, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(8 + header.length, 2);
  head.writeUInt32LE(8 + header.length + body.length, 4);
  return Buffer.concat([head, header, body]);
}

export const uint32s = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, at * 4);
  return bytes;
};

function stringPool(strings: readonly string[]): Buffer {
  const texts = strings.map((text) => {
    const bytes = Buffer.from(text, 'utf16le');
    const length = Buffer.alloc(2);
    length.writeUInt16LE(text.length);
    return Buffer.concat([length, bytes, Buffer.alloc(2)]);
  });
  const offsets = texts.map((_, at) => texts.slice(0, at).reduce((sum, { length }) => sum + length, 0));
  const all = Buffer.concat(texts);
  const padded = Buffer.concat([all, Buffer.alloc((4 - (all.length % 4)) % 4)]);
  const header = uint32s(strings.length, 0, 0, 28 + strings.length * 4, 0);
  return chunk(0x0001, header, Buffer.concat([uint32s(...offsets), padded]));
}

/** The resource IDs of Android attributes. */
const attributeIds: Record<string, number> = {
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
};

interface Element {
  name: string;
  attributes: Record<string, string | number | { reference: number }>;
  children?: Element[];
}

/** Compiled XML: the names of Android attributes come first, because the map of their IDs requires it. */
function binaryXml(root: Element): Buffer {
  const ids = Object.keys(attributeIds);
  const strings = [...ids];
  const indexOf = (text: string): number => {
    if (!strings.includes(text)) strings.push(text);
    return strings.indexOf(text);
  };
  const node = uint32s(1, 0xffffffff);
  const element = ({ name, attributes, children = [] }: Element): Buffer => {
    const list = Object.entries(attributes).map(([key, value]) => {
      const raw = typeof value === 'string' ? indexOf(value) : 0xffffffff;
      const typed =
        typeof value === 'string'
          ? [0x03000008, raw]
          : typeof value === 'number'
            ? [0x10000008, value]
            : [0x01000008, value.reference];
      return uint32s(0xffffffff, indexOf(key), raw, ...typed);
    });
    const sizes = Buffer.alloc(12);
    sizes.writeUInt16LE(20, 0);
    sizes.writeUInt16LE(20, 2);
    sizes.writeUInt16LE(list.length, 4);
    const start = chunk(0x0102, node, Buffer.concat([uint32s(0xffffffff, indexOf(name)), sizes, ...list]));
    const end = chunk(0x0103, node, uint32s(0xffffffff, indexOf(name)));
    return Buffer.concat([start, ...children.map(element), end]);
  };
  const tree = element(root);
  const map = chunk(0x0180, Buffer.alloc(0), uint32s(...ids.map((name) => attributeIds[name] ?? 0)));
  return chunk(0x0003, Buffer.alloc(0), Buffer.concat([stringPool(strings), map, tree]));
}

export interface ApkFacts {
  name?: string;
  version?: number;
  shortVersion?: string;
  label?: string;
  minSdk?: number;
  permissions?: string[];
  icon?: Uint8Array | { reference: number };
  /** Alternatively, an icon of two layers. */
  layers?: { front: Uint8Array; back: Uint8Array };
  more?: ZipPart[];
}

const layeredIcon = (): Buffer =>
  binaryXml({
    name: 'adaptive-icon',
    attributes: {},
    children: [
      { name: 'background', attributes: { drawable: 'res/back.png' } },
      { name: 'foreground', attributes: { drawable: 'res/front.png' } },
    ],
  });

export function createApk({
  name = 'com.example.compass',
  version = 140,
  shortVersion = '1.4.0',
  label = 'Compass',
  minSdk = 26,
  permissions = ['android.permission.INTERNET'],
  icon,
  layers,
  more = [],
}: ApkFacts = {}): Buffer {
  const image = icon instanceof Uint8Array ? icon : undefined;
  const named: Element['attributes'] = layers
    ? { icon: 'res/icon.xml' }
    : image
      ? { icon: 'res/icon.png' }
      : icon && 'reference' in icon
        ? { icon }
        : {};
  const manifest = binaryXml({
    name: 'manifest',
    attributes: { package: name, versionCode: version, versionName: shortVersion },
    children: [
      { name: 'uses-sdk', attributes: { minSdkVersion: minSdk } },
      ...permissions.map((permission) => ({ name: 'uses-permission', attributes: { name: permission } })),
      { name: 'application', attributes: { label, ...named } },
    ],
  });
  const parts: ZipPart[] = [{ path: 'AndroidManifest.xml', content: manifest }];
  if (image) parts.push({ path: 'res/icon.png', content: image });
  if (layers) {
    parts.push({ path: 'res/icon.xml', content: layeredIcon() });
    parts.push({ path: 'res/front.png', content: layers.front }, { path: 'res/back.png', content: layers.back });
  }
  return createZip([...parts, ...more]);
}

/** A field of a protobuf message. */
const field = (number: number, content: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(content);
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7];
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
};

/** An app bundle, whose manifest is a protobuf message. */
export function createAab({
  name = 'com.example.compass',
  version = 140,
  shortVersion = '1.4.0',
  more = [],
}: ApkFacts = {}) {
  const manifestAttributes = { package: name, versionCode: String(version), versionName: shortVersion };
  const attributes = Object.entries(manifestAttributes).map(([key, value]) =>
    field(4, Buffer.concat([field(2, key), field(3, value)])),
  );
  const manifest = field(1, Buffer.concat([field(3, 'manifest'), ...attributes]));
  return createZip([{ path: 'base/manifest/AndroidManifest.xml', content: manifest }, ...more]);
}

const formatPlist = (dict: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0"><dict>${dict}</dict></plist>`;
const entry = (key: string, value: string): string => `<key>${key}</key>${value}`;
const text = (value: string): string => `<string>${value}</string>`;

/** A 64-bit ARM program with only its ID. */
export function machO(uuid: string): Buffer {
  const header = Buffer.alloc(32);
  header.writeUInt32LE(0xfeedfacf, 0);
  header.writeUInt32LE(0x0100000c, 4);
  header.writeUInt32LE(1, 16);
  header.writeUInt32LE(24, 20);
  return Buffer.concat([header, uint32s(0x1b, 24), Buffer.from(uuid.replaceAll('-', ''), 'hex')]);
}

export interface AppleFacts {
  id?: string;
  version?: string;
  shortVersion?: string;
  uuid?: string;
  label?: string;
  icon?: Uint8Array;
  /** Devices in its profile; all devices for an enterprise profile. */
  udids?: string[] | 'all';
  expires?: string;
  /** Replaces the Info.plist and the executable. */
  info?: string | Uint8Array;
  program?: Uint8Array;
  more?: ZipPart[];
}

const defaultUuid = '0f8fad5b-d9cb-469f-a165-70867728950e';

const createInfoPlist = ({
  id = 'com.example.tides',
  version = '42',
  shortVersion = '1.2.3',
  label = 'Tide Table',
}: AppleFacts): string =>
  formatPlist(
    [
      entry('CFBundleIdentifier', text(id)),
      entry('CFBundleVersion', text(version)),
      entry('CFBundleShortVersionString', text(shortVersion)),
      entry('CFBundleExecutable', text('Tides')),
      entry('CFBundleDisplayName', text(label)),
      entry('MinimumOSVersion', text('15.0')),
      entry('LSMinimumSystemVersion', text('12.0')),
      entry('UIDeviceFamily', '<array><integer>1</integer><integer>2</integer></array>'),
      entry(
        'CFBundleIcons',
        `<dict>${entry('CFBundlePrimaryIcon', `<dict>${entry('CFBundleIconFiles', `<array>${text('AppIcon60x60')}</array>`)}</dict>`)}</dict>`,
      ),
    ].join(''),
  );

const createProfile = ({
  udids = ['00008030-000A1B2C3D4E5F60'],
  expires = '2030-01-01T00:00:00Z',
}: AppleFacts): Buffer => {
  const devices =
    udids === 'all'
      ? entry('ProvisionsAllDevices', '<true/>')
      : entry('ProvisionedDevices', `<array>${udids.map(text).join('')}</array>`);
  const dict = [
    entry('Name', text('Tides Ad Hoc')),
    entry('ExpirationDate', `<date>${expires}</date>`),
    entry('TeamIdentifier', `<array>${text('ABCDE12345')}</array>`),
    entry('Entitlements', `<dict>${entry('application-identifier', text('ABCDE12345.com.example.tides'))}</dict>`),
    devices,
  ].join('');
  return Buffer.concat([
    Buffer.from([0x30, 0x82, 0x1d, 0xff]),
    Buffer.from(formatPlist(dict)),
    Buffer.from([0, 0xa0, 0x82]),
  ]);
};

export const createIpa = (options: AppleFacts = {}): Buffer =>
  createZip([
    { path: 'Payload/Tides.app/Info.plist', content: options.info ?? createInfoPlist(options) },
    { path: 'Payload/Tides.app/Tides', content: options.program ?? machO(options.uuid ?? defaultUuid), mode: 0o100755 },
    { path: 'Payload/Tides.app/embedded.mobileprovision', content: createProfile(options) },
    { path: 'Payload/Tides.app/AppIcon60x60@2x.png', content: options.icon ?? png(120, 120) },
    ...(options.more ?? []),
  ]);

export const createMacApp = (options: AppleFacts = {}): Buffer =>
  createZip([
    { path: 'Tides.app/Contents/Info.plist', content: createInfoPlist(options) },
    { path: 'Tides.app/Contents/MacOS/Tides', content: machO(options.uuid ?? defaultUuid), mode: 0o100755 },
    { path: 'Tides.app/Contents/Frameworks/A.framework/Current', content: 'Versions/A', mode: 0o120777 },
  ]);

export const createMsix = ({ name = 'Example.Harbour', version = '2.1.0.0' } = {}): Buffer =>
  createZip([
    {
      path: 'AppxManifest.xml',
      content: `<?xml version="1.0" encoding="utf-8"?>
<Package xmlns="http://schemas.microsoft.com/appx/manifest/foundation/windows10" xmlns:uap="http://schemas.microsoft.com/appx/manifest/uap/windows10">
  <Identity Name="${name}" Version="${version}" Publisher="CN=Example &amp; Co" ProcessorArchitecture="x64" />
  <Properties><DisplayName>Harbour &lt;Beta&gt;</DisplayName><Logo>Assets\\Logo.png</Logo></Properties>
  <Dependencies><TargetDeviceFamily Name="Windows.Desktop" MinVersion="10.0.17763.0" MaxVersionTested="10.0.22000.0"/></Dependencies>
</Package>`,
    },
    { path: 'Assets/Logo.scale-100.png', content: png(10, 10) },
    { path: 'Assets/Logo.scale-200.png', content: png(20, 20) },
  ]);
