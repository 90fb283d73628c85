import type { AppOs } from '../apps/apps.contract.ts';

/** Kinds of packages by file extension, longer extensions first. */
export const packageKinds = [
  'app.zip',
  'apk',
  'aab',
  'ipa',
  'dmg',
  'pkg',
  'appx',
  'appxbundle',
  'appxupload',
  'msix',
  'msixbundle',
  'msixupload',
  'msi',
  'deb',
  'rpm',
  'appimage',
  'zip',
] as const;
export type PackageKind = (typeof packageKinds)[number];

const windows = ['appx', 'appxbundle', 'appxupload', 'msix', 'msixbundle', 'msixupload', 'msi', 'zip'] as const;

/** The package kinds for each operating system. */
export const kindsFor: Readonly<Record<AppOs, readonly PackageKind[]>> = {
  Android: ['apk', 'aab'],
  iOS: ['ipa'],
  tvOS: ['ipa'],
  macOS: ['app.zip', 'zip', 'dmg', 'pkg'],
  Windows: windows,
  Linux: ['deb', 'rpm', 'appimage', 'zip'],
  Tizen: ['zip'],
  Custom: packageKinds,
};

export const getPackageKind = (name: string): PackageKind | undefined =>
  packageKinds.find((kind) => name.toLowerCase().endsWith(`.${kind}`));

/** Fields that a package does not contain, so that the uploader must set them. */
export const isVersionNeeded = (kind: PackageKind): boolean => ['zip', 'msi', 'pkg', 'dmg'].includes(kind);
export const isBuildNumberNeeded = (kind: PackageKind): boolean => ['pkg', 'dmg'].includes(kind);
