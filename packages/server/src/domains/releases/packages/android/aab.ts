import { Unreadable } from '../../../../workers/unreadable.ts';
import { type Archive, openArchive } from '../archive.ts';
import type { PackageMetadata } from '../package-metadata.ts';
import { androidHash, androidRelease } from './apk.ts';
import { type ProtoValue, protoResources } from './proto-resources.ts';
import { type Field, messageIn, readMessage, textIn } from './protobuf.ts';

interface Element {
  name: string;
  attributes: Map<string, string>;
}

/** XmlNode.element = 1; XmlElement: name = 3, attribute = 4, child = 5; XmlAttribute: name = 2, value = 3. */
function listElements(node: readonly Field[], depth = 0): Element[] {
  const element = messageIn(node, 1);
  if (element.length === 0 || depth > 50) return [];
  const attributes = element
    .filter(({ number, bytes }) => number === 4 && bytes)
    .map(({ bytes }) => readMessage(bytes as Buffer));
  const children = element.filter(({ number, bytes }) => number === 5 && bytes);
  return [
    {
      name: textIn(element, 3) ?? '',
      attributes: new Map(attributes.map((one) => [textIn(one, 2) ?? '', textIn(one, 3) ?? ''])),
    },
    ...children.flatMap(({ bytes }) => listElements(readMessage(bytes as Buffer), depth + 1)),
  ];
}

const MIB = 1024 * 1024;
const densities = ['ldpi', 'mdpi', 'tvdpi', 'hdpi', 'xhdpi', 'xxhdpi', 'xxxhdpi'];
const getDensity = ({ text }: ProtoValue): number =>
  densities.findLastIndex((density) => new RegExp(`-${density}\\b`).test(text));

/** The image for the highest density; vector and adaptive icons are skipped. */
async function readIcon(archive: Archive, found: readonly ProtoValue[]) {
  const images = found.filter(({ text }) => /\.(png|webp)$/i.test(text));
  const [finest] = images.toSorted((a, b) => getDensity(b) - getDensity(a));
  if (!finest) return undefined;
  const path = `base/${finest.text}`;
  const bytes = (await archive.read([path], 4 * MIB)).get(path);
  const type = /\.webp$/i.test(path) ? ('image/webp' as const) : ('image/png' as const);
  return bytes && { bytes, type };
}

/** Reads an Android App Bundle: its manifest is a protobuf message. */
export async function readAab(file: string): Promise<PackageMetadata> {
  const archive = await openArchive(file);
  const path = 'base/manifest/AndroidManifest.xml';
  const resources = 'base/resources.pb';
  const manifest = (await archive.read([path], 8 * MIB)).get(path);
  if (!manifest) throw new Unreadable(`The package has no ${path}, so it is not an Android App Bundle.`);
  const elements = listElements(readMessage(manifest));
  const [root] = elements;
  const of = (name: string) => elements.filter((element) => element.name === name);
  const bundleIdentifier = root?.attributes.get('package');
  if (root?.name !== 'manifest' || !bundleIdentifier)
    throw new Unreadable('The manifest of the package does not name the app.');
  const version = root.attributes.get('versionCode');
  const shortVersion = root.attributes.get('versionName') ?? '';
  const minApiLevel = of('uses-sdk')[0]?.attributes.get('minSdkVersion') ?? '1';
  // A label and an icon are optional.
  const list = (await archive.read([resources]).catch(() => undefined))?.get(resources);
  const resolve = protoResources(list);
  const resolveAttribute = (name: string): ProtoValue[] => {
    const text = of('application')[0]?.attributes.get(name) ?? '';
    return text.startsWith('@') ? resolve(text) : [{ text, locale: '' }];
  };
  const labels = resolveAttribute('label');
  return {
    bundleIdentifier,
    version,
    shortVersion,
    label: (labels.find(({ locale }) => locale === '') ?? labels[0])?.text || undefined,
    minApiLevel,
    minOs: androidRelease(minApiLevel),
    architectures: [...new Set(archive.names.flatMap((name) => /^base\/lib\/([^/]+)\//.exec(name)?.[1] ?? []))].sort(),
    permissions: [...new Set(of('uses-permission').flatMap(({ attributes }) => attributes.get('name') ?? []))].sort(),
    hashes: [androidHash(bundleIdentifier, shortVersion, version ?? '0')],
    icon: await readIcon(archive, resolveAttribute('icon')),
  };
}
