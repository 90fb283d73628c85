import { stat } from 'node:fs/promises';
import { Unreadable } from '../../../workers/unreadable.ts';
import { type Archive, openArchive } from './archive.ts';
import type { PackageMetadata } from './package-metadata.ts';
import { findChild, findDescendants, readXml, type XmlElement } from './xml.ts';

/** File names include the scale: `Logo.scale-200.png`. */
async function findIcon(archive: Archive, logo: string | undefined): Promise<PackageMetadata['icon']> {
  if (!logo?.toLowerCase().endsWith('.png')) return undefined;
  const stem = logo.replaceAll('\\', '/').slice(0, -4).toLowerCase();
  const getScale = (path: string): number => Number(/scale-(\d+)/i.exec(path)?.[1] ?? 100);
  const [best] = archive.names
    .filter((name) => {
      const path = name.toLowerCase();
      return path === `${stem}.png` || (path.startsWith(`${stem}.scale-`) && path.endsWith('.png'));
    })
    .sort((a, b) => getScale(b) - getScale(a));
  const bytes = best === undefined ? undefined : (await archive.read([best], 4 * 1024 * 1024)).get(best);
  return bytes && { bytes, type: 'image/png' };
}

const identityIn = (root: XmlElement) => findChild(root, 'Identity')?.attributes ?? {};

/** Reads a Windows package, or a bundle for several architectures. */
export async function readMsix(file: string): Promise<PackageMetadata> {
  const archive = await openArchive(file);
  const files = await archive.read(['AppxManifest.xml', 'AppxMetadata/AppxBundleManifest.xml'], 8 * 1024 * 1024);
  const [single, bundle] = [files.get('AppxManifest.xml'), files.get('AppxMetadata/AppxBundleManifest.xml')];
  const manifest = single ?? bundle;
  if (!manifest)
    throw new Unreadable('The package has neither AppxManifest.xml nor a bundle manifest, so it is not a Windows app.');
  const root = readXml(manifest.toString('utf8'));
  const identity = identityIn(root);
  if (!identity.Name || !identity.Version)
    throw new Unreadable('The manifest of the package lacks the name of the app or its version.');
  const packages = findDescendants(root, 'Package').map(({ attributes }) => attributes.Architecture);
  const properties = findChild(root, 'Properties');
  const label = findChild(properties, 'DisplayName')?.text;
  const [target] = findDescendants(root, 'TargetDeviceFamily');
  const architectures = [identity.ProcessorArchitecture, ...packages].filter((one) => one !== undefined && one !== '');
  return {
    bundleIdentifier: identity.Name,
    version: identity.Version,
    shortVersion: identity.Version,
    label: label?.startsWith('ms-resource:') ? undefined : label,
    minOs: target?.attributes.MinVersion,
    publisher: identity.Publisher,
    architectures: [...new Set(architectures as string[])].sort(),
    icon: await findIcon(archive, findChild(properties, 'Logo')?.text),
  };
}

/** Reads an upload for the Microsoft Store: a zip with the package or bundle. */
export async function readUploadBundle(file: string): Promise<PackageMetadata> {
  const archive = await openArchive(file);
  const inner =
    archive.names.find((name) => /\.(appx|msix)bundle$/i.test(name)) ??
    archive.names.find((name) => /\.(appx|msix)$/i.test(name));
  if (inner === undefined) throw new Unreadable('The file contains no .appx or .msix package.');
  const { size } = await stat(file);
  const copy = `${file}.inner`;
  // The package is compressed already, so it is hardly larger than the file that contains it.
  await archive.copy(inner, copy, 2 * size + 1024 * 1024);
  return readMsix(copy);
}
