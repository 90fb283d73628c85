import { hash } from 'node:crypto';
import { Unreadable } from '../../../../workers/unreadable.ts';
import { type Archive, openArchive } from '../archive.ts';
import type { PackageMetadata, ProvisioningProfile } from '../package-metadata.ts';
import { plainPng } from './crushed-png.ts';
import { listOffsets, MAX_HEAD_LENGTH, readMachO, type Slice } from './mach-o.ts';
import { dictIn, type PlistDict, readPlist, textIn, textsIn } from './plist.ts';

/** Reads the property list in a signed profile; does not verify the signature. */
function readProfile(bytes: Buffer | undefined): ProvisioningProfile | undefined {
  const text = bytes?.toString('latin1') ?? '';
  const [start, end] = [text.indexOf('<?xml'), text.indexOf('</plist>')];
  if (start < 0 || end < start) return undefined;
  const dict = readPlist(Buffer.from(text.slice(start, end + 8), 'latin1'));
  const udids = textsIn(dict, 'ProvisionedDevices');
  const expiry = dict.ExpirationDate;
  const applicationId = textIn(dictIn(dict, 'Entitlements'), 'application-identifier');
  return {
    name: textIn(dict, 'Name') ?? '',
    type: dict.ProvisionsAllDevices === true ? 'enterprise' : udids.length > 0 ? 'adhoc' : 'other',
    expiresAt: expiry instanceof Date && !Number.isNaN(expiry.getTime()) ? expiry.getTime() : undefined,
    teamId: textsIn(dict, 'TeamIdentifier')[0],
    bundleId: applicationId?.slice(applicationId.indexOf('.') + 1),
    udids,
  };
}

const families: Record<string, string> = { 1: 'iPhone', 2: 'iPad', 3: 'AppleTV', 4: 'AppleWatch' };

function deviceFamily(info: PlistDict): string | undefined {
  const value = info.UIDeviceFamily;
  const names = (Array.isArray(value) ? value : []).flatMap((one) => families[String(one)] ?? []);
  return names.length > 0 ? names.join('/') : undefined;
}

const MAX_ICON_NAMES = 20;

/** Icons are named without sizes; the largest file with the name is the best. */
function iconNames(info: PlistDict): string[] {
  const primary = dictIn(dictIn(info, 'CFBundleIcons'), 'CFBundlePrimaryIcon');
  const single = textIn(info, 'CFBundleIconFile');
  return [...textsIn(primary, 'CFBundleIconFiles'), ...textsIn(info, 'CFBundleIconFiles'), ...(single ? [single] : [])];
}

const sizeIn = (name: string): number => {
  const points = Number(/(\d{1,4}(?:\.\d{1,2})?)x\d/.exec(name)?.[1] ?? 60);
  return points * Number(/@(\d)x/.exec(name)?.[1] ?? 1);
};

async function findIcon(archive: Archive, folder: string, info: PlistDict): Promise<PackageMetadata['icon']> {
  const names = iconNames(info)
    .slice(0, MAX_ICON_NAMES)
    .map((name) => name.replace(/\.png$/i, ''));
  const candidates = archive.names
    .filter((path) => path.startsWith(folder) && path.endsWith('.png') && !path.slice(folder.length).includes('/'))
    .filter((path) => names.some((name) => path.slice(folder.length).startsWith(name)))
    .sort((a, b) => sizeIn(b) - sizeIn(a));
  const [best] = candidates;
  const bytes = best === undefined ? undefined : (await archive.read([best], 4 * 1024 * 1024)).get(best);
  return bytes && { bytes: plainPng(bytes), type: 'image/png' };
}

/** The hash that the Apple SDK computes for each architecture of the executable. */
export const appleHash = (uuid: string, shortVersion: string, version: string): string =>
  hash('sha256', `${uuid}:${shortVersion}:${version}`, 'hex');

const MAX_PROGRAM_BYTES = 1024 ** 3;

/** Keeps only the beginning of each slice in memory, because executables can be large. */
async function readProgram(archive: Archive, path: string): Promise<Slice[]> {
  const headsAt = (places: number[]) =>
    archive.readParts(
      path,
      places.map((at) => ({ at, length: MAX_HEAD_LENGTH })),
      MAX_PROGRAM_BYTES,
    );
  const heads = await headsAt([0]);
  const places = listOffsets(heads[0] ?? Buffer.alloc(0));
  const isOne = places.length === 1 && places[0] === 0;
  return (isOne ? heads : await headsAt(places)).flatMap((head) => readMachO(head) ?? []);
}

/** Reads an iOS app from its archive, or a zipped macOS app. */
export async function readAppBundle(file: string, system: 'iOS' | 'macOS'): Promise<PackageMetadata> {
  const archive = await openArchive(file);
  const pattern =
    system === 'iOS' ? /^Payload\/[^/]+\.app\/Info\.plist$/ : /^(?:[^/]+\/)?[^/]+\.app\/Contents\/Info\.plist$/;
  const listPath = archive.names.find((name) => pattern.test(name));
  if (listPath === undefined) {
    throw new Unreadable(
      system === 'iOS'
        ? 'The package has no Payload/….app/Info.plist, so it is not an iOS app.'
        : 'The package has no ….app/Contents/Info.plist, so it is not a macOS app.',
    );
  }
  const folder = listPath.slice(0, -'Info.plist'.length);
  const profilePath = `${folder}embedded.mobileprovision`;
  const files = await archive.read([listPath, profilePath], 4 * 1024 * 1024);
  const info = readPlist(files.get(listPath) ?? Buffer.alloc(0));
  const [shortVersion, version] = [textIn(info, 'CFBundleShortVersionString'), textIn(info, 'CFBundleVersion')];
  const programPath = `${folder}${system === 'macOS' ? 'MacOS/' : ''}${textIn(info, 'CFBundleExecutable') ?? ''}`;
  const slices = await readProgram(archive, programPath);
  return {
    bundleIdentifier: textIn(info, 'CFBundleIdentifier'),
    version: version ?? shortVersion,
    shortVersion: shortVersion ?? version,
    label: textIn(info, 'CFBundleDisplayName') ?? textIn(info, 'CFBundleName'),
    minOs: textIn(info, system === 'iOS' ? 'MinimumOSVersion' : 'LSMinimumSystemVersion'),
    deviceFamily: deviceFamily(info),
    architectures: [...new Set(slices.map(({ architecture }) => architecture))].sort(),
    hashes: slices.flatMap(({ uuid }) => (uuid ? appleHash(uuid, shortVersion ?? '', version ?? '') : [])),
    profile: system === 'iOS' ? readProfile(files.get(profilePath)) : undefined,
    icon: await findIcon(archive, folder, info),
  };
}
