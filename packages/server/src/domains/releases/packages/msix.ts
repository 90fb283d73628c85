import { stat } from 'node:fs/promises';
import { Unreadable } from '../../../workers/unreadable.ts';
import { type Archive, openArchive } from './archive.ts';
import type { PackageMetadata } from './package-metadata.ts';
import { allOf, childOf, readXml, type XmlElement } from './xml.ts';

/** Files are named with the scale that they are for: `Logo.scale-200.png`. */
async function findIcon(archive: Archive, logo: string | undefined): Promise<PackageMetadata['icon']> {
  if (!logo?.toLowerCase().endsWith('.png')) return undefined;
  const stem = logo.replaceAll('\\', '/').slice(0, -4).toLowerCase();
  const scaleOf = (path: string): number => Number(/scale-(\d+)/i.exec(path)?.[1] ?? 100);
  const [best] = archive.names
    .filter((name) => {
      const path = name.toLowerCase();
      return path === `${stem}.png` || (path.startsWith(`${stem}.scale-`) && path.endsWith('.png'));
    })
    .sort((a, b) => scaleOf(b) - scaleOf(a));
  const bytes = best === undefined ? undefined : (await archive.read([best], 4 * 1024 * 1024)).get(best);
  return bytes && { bytes, type: 'image/png' };
}

const identityIn = (root: XmlElement) => childOf(root, 'Identity')?.attributes ?? {};

/** A package for Windows, or a bundle of several for different processors. */
export async function readMsix(file: string): Promise<PackageMetadata> {
  const archive = await openArchive(file);
  const files = await archive.read(['AppxManifest.xml', 'AppxMetadata/AppxBundleManifest.xml'], 8 * 1024 * 1024);
  const [single, bundle] = [files.get('AppxManifest.xml'), files.get('AppxMetadata/AppxBundleManifest.xml')];
  const manifest = single ?? bundle;
  if (!manifest)
    throw new Unreadable('It has neither AppxManifest.xml nor a bundle manifest, so it is no app for Windows.');
  const root = readXml(manifest.toString('utf8'));
  const identity = identityIn(root);
  if (!identity.Name || !identity.Version) throw new Unreadable('Its manifest does not name the app and its version.');
  const packages = allOf(root, 'Package').map(({ attributes }) => attributes.Architecture);
  const properties = childOf(root, 'Properties');
  const label = childOf(properties, 'DisplayName')?.text;
  const [target] = allOf(root, 'TargetDeviceFamily');
  const architectures = [identity.ProcessorArchitecture, ...packages].filter((one) => one !== undefined && one !== '');
  return {
    bundleIdentifier: identity.Name,
    version: identity.Version,
    shortVersion: identity.Version,
    label: label?.startsWith('ms-resource:') ? undefined : label,
    minOs: target?.attributes.MinVersion,
    publisher: identity.Publisher,
    architectures: [...new Set(architectures as string[])].sort(),
    icon: await findIcon(archive, childOf(properties, 'Logo')?.text),
  };
}

/** What is sent to the store: a zip that holds the package, or the bundle of several. */
export async function readUploadBundle(file: string): Promise<PackageMetadata> {
  const archive = await openArchive(file);
  const inner =
    archive.names.find((name) => /\.(appx|msix)bundle$/i.test(name)) ??
    archive.names.find((name) => /\.(appx|msix)$/i.test(name));
  if (inner === undefined) throw new Unreadable('It holds no .appx or .msix package.');
  const { size } = await stat(file);
  const copy = `${file}.inner`;
  // A package is packed already, so that it is hardly larger than what holds it.
  await archive.copy(inner, copy, 2 * size + 1024 * 1024);
  return readMsix(copy);
}
