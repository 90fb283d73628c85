import type { PackageKind } from '@mooring/contract';
import { isOutOfMemory } from '../../../workers/memory-limit.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { readAab } from './android/aab.ts';
import { readApk } from './android/apk.ts';
import { readAppBundle } from './apple/ipa.ts';
import { readAppImage, readDeb, readRpm } from './linux.ts';
import { readMsix, readUploadBundle } from './msix.ts';
import { checkMark, checkZip } from './opaque.ts';
import { type PackageMetadata, withinLimits } from './package-metadata.ts';

const readers: Record<PackageKind, (file: string) => Promise<PackageMetadata>> = {
  apk: readApk,
  aab: readAab,
  ipa: (file) => readAppBundle(file, 'iOS'),
  'app.zip': (file) => readAppBundle(file, 'macOS'),
  appx: readMsix,
  appxbundle: readMsix,
  msix: readMsix,
  msixbundle: readMsix,
  appxupload: readUploadBundle,
  msixupload: readUploadBundle,
  zip: checkZip,
  dmg: (file) => checkMark(file, 'dmg'),
  pkg: (file) => checkMark(file, 'pkg'),
  msi: (file) => checkMark(file, 'msi'),
  deb: readDeb,
  rpm: readRpm,
  appimage: readAppImage,
};

/** Runs in a separate process, so that no package can block or harm the server. */
export default async ({ file, kind }: { file: string; kind: PackageKind }): Promise<PackageMetadata> => {
  try {
    return withinLimits(await readers[kind](file));
  } catch (error) {
    // A length or offset points past the end of the file.
    if (error instanceof RangeError && !isOutOfMemory(error.message))
      throw new Unreadable(`The file is damaged, or not a .${kind}.`);
    throw error;
  }
};
