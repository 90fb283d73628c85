import { Unreadable } from '../../../workers/unreadable.ts';

export interface ProvisioningProfile {
  name: string;
  type: 'adhoc' | 'enterprise' | 'other';
  expiresAt: number | undefined;
  teamId: string | undefined;
  bundleId: string | undefined;
  /** Devices that it lets install the app, if it names any. */
  udids: string[];
}

/** What a package says of itself. */
export interface PackageMetadata {
  bundleIdentifier?: string | undefined;
  /** The number that grows with each build. */
  version?: string | undefined;
  /** The version that people read. */
  shortVersion?: string | undefined;
  label?: string | undefined;
  minOs?: string | undefined;
  minApiLevel?: string | undefined;
  deviceFamily?: string | undefined;
  architectures?: string[];
  /** As SDKs compute them of what is installed. */
  hashes?: string[];
  /** SHA-256 of the certificate that an Android app is signed with, in hexadecimal. */
  certificate?: string | undefined;
  permissions?: string[];
  /** Whose certificate a package for Windows is signed with. */
  publisher?: string | undefined;
  profile?: ProvisioningProfile | undefined;
  icon?: { bytes: Uint8Array; type: 'image/png' | 'image/webp' } | undefined;
}

const LONGEST = 256;
/** A name of a publisher is that of a certificate, which may be long. */
const LONGEST_PUBLISHER = 8192;
const MOST_PERMISSIONS = 1000;
const MOST_DEVICES = 10_000;

/** No database and no page takes what is no text, such as the character 0. */
const plain = (text: string): string => text.toWellFormed().replace(/\p{Cc}/gu, '');

function short(what: string, text: string | undefined, longest = LONGEST): string | undefined {
  if (text !== undefined && text.length > longest)
    throw new Unreadable(`${what} in it is longer than ${longest} characters.`);
  return text === undefined ? undefined : plain(text);
}

const few = (texts: readonly string[], most: number): string[] =>
  texts
    .filter((text) => text.length <= LONGEST)
    .slice(0, most)
    .map(plain);

/** What is kept of a package: whatever stands in it, no more than people and lists can bear. */
export function withinLimits(metadata: PackageMetadata): PackageMetadata {
  const { label, architectures, permissions, profile, publisher } = metadata;
  return {
    ...metadata,
    bundleIdentifier: short('The name of the app', metadata.bundleIdentifier),
    version: short('The version', metadata.version),
    shortVersion: short('The version', metadata.shortVersion),
    minOs: short('The system that it needs', metadata.minOs),
    minApiLevel: short('The system that it needs', metadata.minApiLevel),
    ...(publisher !== undefined && { publisher: short('The publisher', publisher, LONGEST_PUBLISHER) }),
    ...(label !== undefined && { label: plain(label.slice(0, LONGEST)) }),
    ...(architectures && { architectures: few(architectures, 50) }),
    ...(permissions && { permissions: few(permissions, MOST_PERMISSIONS) }),
    ...(profile && {
      profile: {
        ...profile,
        name: plain(profile.name.slice(0, LONGEST)),
        teamId: short('The team of the profile', profile.teamId),
        bundleId: short('The app of the profile', profile.bundleId),
        udids: few(profile.udids, MOST_DEVICES),
      },
    }),
  };
}
