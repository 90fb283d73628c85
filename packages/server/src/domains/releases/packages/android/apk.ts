import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Unreadable } from '../../../../workers/unreadable.ts';
import { openArchive } from '../archive.ts';
import type { PackageMetadata } from '../package-metadata.ts';
import { flatten, readPixels } from '../pixels.ts';
import { certificateInBlock, certificateInPkcs7 } from './apk-signature.ts';
import { type BinaryElement, readBinaryXml } from './binary-xml.ts';
import { type Resource, type ResourceTable, readResourceTable } from './resource-table.ts';

/** Android's resource IDs of attribute names; tools that shrink apps remove the names. */
const attribute = {
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  drawable: 0x01010199,
} as const;

const getAttribute = (element: BinaryElement | undefined, name: keyof typeof attribute) =>
  element?.attributes.get(attribute[name]) ?? element?.attributes.get(name);

const noTable: ResourceTable = { find: () => [] };
/** References can lead to others, even in a circle; each costs a walk through the table. */
const MAX_REFERENCES = 20;

/** Resolves a reference in each configuration. */
function resolve(table: ResourceTable, id: number): Resource[] {
  const found: Resource[] = [];
  const references = new Set([id]);
  for (const one of references) {
    for (const resource of table.find(one)) {
      if (resource.value.kind !== 'reference') found.push(resource);
      else if (references.size < MAX_REFERENCES) references.add(resource.value.data);
    }
  }
  return found;
}

function getText(table: ResourceTable, element: BinaryElement | undefined, name: keyof typeof attribute) {
  const value = getAttribute(element, name);
  if (value?.kind !== 'reference') return value?.text;
  const found = resolve(table, value.data).filter(({ value: { text } }) => text !== undefined);
  const plain = found.find(({ language }) => language === '') ?? found.find(({ language }) => language === 'en');
  return (plain ?? found[0])?.value.text;
}

const isImage = (path: string): boolean => /\.(png|webp)$/i.test(path);
/** Not a density in dpi: matches any, and none. */
const ANY_DENSITY = 0xfffe;

const listImagePaths = (table: ResourceTable, id: number): { path: string; density: number }[] =>
  resolve(table, id)
    .flatMap(({ value, density }) => (value.text === undefined ? [] : { path: value.text, density }))
    .sort((a, b) => (b.density >= ANY_DENSITY ? 0 : b.density) - (a.density >= ANY_DENSITY ? 0 : a.density));

type Archive = Awaited<ReturnType<typeof openArchive>>;

const MIB = 1024 * 1024;
const MAX_ICON_BYTES = 4 * MIB;

/** Finds the largest image; an adaptive icon is rendered like a launcher does, if its layers are images. */
async function findIcon(archive: Archive, table: ResourceTable, application: BinaryElement | undefined) {
  const value = getAttribute(application, 'icon');
  if (!value) return undefined;
  const paths =
    value.kind === 'reference' ? listImagePaths(table, value.data) : [{ path: value.text ?? '', density: 0 }];
  const image = paths.find(({ path }) => isImage(path))?.path;
  if (image !== undefined) return readImage(archive, image);
  const layered = paths.find(({ path }) => path.endsWith('.xml'))?.path;
  const bytes = layered === undefined ? undefined : (await archive.read([layered])).get(layered);
  return bytes && drawLayers(archive, table, readBinaryXml(bytes));
}

async function readImage(archive: Archive, path: string) {
  const bytes = (await archive.read([path], MAX_ICON_BYTES)).get(path);
  const type = path.toLowerCase().endsWith('.webp') ? ('image/webp' as const) : ('image/png' as const);
  return bytes && { bytes, type };
}

/** A layer: an image or a color. */
function layerIn(table: ResourceTable, layers: readonly BinaryElement[], name: string) {
  const drawable = getAttribute(
    layers.find((one) => one.name === name),
    'drawable',
  );
  if (drawable?.kind === 'color') return { color: drawable.data };
  if (drawable?.kind !== 'reference') return drawable?.text === undefined ? undefined : { path: drawable.text };
  const path = listImagePaths(table, drawable.data).find((one) => isImage(one.path))?.path;
  if (path !== undefined) return { path };
  const color = resolve(table, drawable.data).find(({ value }) => value.kind === 'color');
  return color && { color: color.value.data };
}

/** Returns the foreground if there is no background; vector drawings are not rendered. */
async function drawLayers(archive: Archive, table: ResourceTable, layers: readonly BinaryElement[]) {
  const front = layerIn(table, layers, 'foreground');
  const image = front?.path !== undefined && isImage(front.path) ? await readImage(archive, front.path) : undefined;
  const dots = image && readPixels(image.bytes);
  const back = layerIn(table, layers, 'background');
  if (!dots || !back) return image;
  if (back.color !== undefined) return { bytes: flatten(dots, { color: back.color }), type: 'image/png' as const };
  const behind = isImage(back.path) ? await readImage(archive, back.path) : undefined;
  const pixels = behind && readPixels(behind.bytes);
  return pixels ? { bytes: flatten(dots, pixels), type: 'image/png' as const } : image;
}

const END_OF_LIST = 0x06054b50;
const MAX_BLOCK_LENGTH = 16 * MIB;

/** Reads the bytes before the central directory of the archive. */
async function readTail(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const end = Buffer.alloc(Math.min(size, 65_557));
    await handle.read(end, 0, end.length, size - end.length);
    let at = end.length - 22;
    while (at >= 0 && end.readUInt32LE(at) !== END_OF_LIST) at -= 1;
    const list = at < 0 ? 0 : end.readUInt32LE(at + 16);
    const tail = Buffer.alloc(Math.min(list, MAX_BLOCK_LENGTH));
    await handle.read(tail, 0, tail.length, list - tail.length);
    return tail;
  } finally {
    await handle.close();
  }
}

const releases: Record<number, string> = {
  ...{
    14: '4.0',
    15: '4.0.3',
    16: '4.1',
    17: '4.2',
    18: '4.3',
    19: '4.4',
    20: '4.4W',
    21: '5.0',
    22: '5.1',
    23: '6.0',
  },
  ...{
    24: '7.0',
    25: '7.1',
    26: '8.0',
    27: '8.1',
    28: '9.0',
    29: '10.0',
    30: '11.0',
    31: '12.0',
    32: '12.0',
    33: '13.0',
  },
  ...{ 34: '14.0', 35: '15.0', 36: '16.0' },
};

export const androidRelease = (apiLevel: string): string => releases[Number(apiLevel)] ?? apiLevel;

/** The hash that the Android SDK computes of the installed app. */
export const androidHash = (packageName: string, versionName: string, versionCode: string): string =>
  hash('sha256', `${packageName}:${versionName}:${versionCode}`, 'hex');

export async function readApk(file: string): Promise<PackageMetadata> {
  const archive = await openArchive(file);
  const signatures = archive.names.filter((name) => /^META-INF\/[^/]+\.(RSA|DSA|EC)$/i.test(name)).slice(0, 1);
  const files = await archive.read(['AndroidManifest.xml', ...signatures], 8 * MIB);
  const manifest = files.get('AndroidManifest.xml');
  if (!manifest) throw new Unreadable('The package has no AndroidManifest.xml, so it is not an Android app.');
  const elements = readBinaryXml(manifest);
  const [root] = elements;
  const of = (name: string) => elements.filter((element) => element.name === name);
  const bytes = (await archive.read(['resources.arsc'], 128 * MIB)).get('resources.arsc');
  const table = bytes ? readResourceTable(bytes) : noTable;
  const [application] = of('application');
  const bundleIdentifier = root?.attributes.get('package')?.text;
  if (root?.name !== 'manifest' || !bundleIdentifier)
    throw new Unreadable('The manifest of the package does not name the app.');
  const version = getText(table, root, 'versionCode');
  const shortVersion = getText(table, root, 'versionName') ?? '';
  const minApiLevel = getText(table, of('uses-sdk')[0], 'minSdkVersion') ?? '1';
  const signature = signatures.map((name) => files.get(name)).find((found) => found !== undefined);
  return {
    bundleIdentifier,
    version,
    shortVersion,
    label: getText(table, application, 'label'),
    minApiLevel,
    minOs: androidRelease(minApiLevel),
    architectures: [...new Set(archive.names.flatMap((name) => /^lib\/([^/]+)\//.exec(name)?.[1] ?? []))].sort(),
    permissions: [
      ...new Set(of('uses-permission').flatMap((element) => getAttribute(element, 'name')?.text ?? [])),
    ].sort(),
    certificate: certificateInBlock(await readTail(file)) ?? (signature && certificateInPkcs7(signature)),
    // Android treats a missing version code as 0.
    hashes: [androidHash(bundleIdentifier, shortVersion, version ?? '0')],
    icon: await findIcon(archive, table, application),
  };
}
