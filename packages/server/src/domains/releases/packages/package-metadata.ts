import { Unreadable } from '../../../workers/unreadable.ts';

export interface ProvisioningProfile {
  name: string;
  type: 'adhoc' | 'enterprise' | 'other';
  expiresAt: number | undefined;
  teamId: string | undefined;
  bundleId: string | undefined;
  /** Devices in the profile, if it lists any. */
  udids: string[];
}

/** Metadata of a package. */
export interface PackageMetadata {
  bundleIdentifier?: string | undefined;
  /** The build number. */
  version?: string | undefined;
  /** The version for users. */
  shortVersion?: string | undefined;
  label?: string | undefined;
  minOs?: string | undefined;
  minApiLevel?: string | undefined;
  deviceFamily?: string | undefined;
  architectures?: string[];
  /** Package hashes, in the form that SDKs compute for the installed app. */
  hashes?: string[];
  /** SHA-256 of the certificate that an Android app is signed with, in hexadecimal. */
  certificate?: string | undefined;
  permissions?: string[];
  /** Publisher in the signature of a Windows package. */
  publisher?: string | undefined;
  profile?: ProvisioningProfile | undefined;
  icon?: { bytes: Uint8Array; type: 'image/png' | 'image/webp' } | undefined;
}

const MAX_TEXT_LENGTH = 256;
/** A publisher is a certificate subject, which can be long. */
const MAX_PUBLISHER_LENGTH = 8192;
const MAX_PERMISSIONS = 1000;
const MAX_DEVICES = 10_000;

/** Removes control characters, such as NUL, which databases and pages cannot store or show. */
const plain = (text: string): string => text.toWellFormed().replace(/\p{Cc}/gu, '');

function short(what: string, text: string | undefined, longest = MAX_TEXT_LENGTH): string | undefined {
  if (text !== undefined && text.length > longest)
    throw new Unreadable(`${what} in the package is longer than ${longest} characters.`);
  return text === undefined ? undefined : plain(text);
}

const few = (texts: readonly string[], most: number): string[] =>
  texts
    .filter((text) => text.length <= MAX_TEXT_LENGTH)
    .slice(0, most)
    .map(plain);

/** Limits metadata to sizes that pages and lists can show. */
export function withinLimits(metadata: PackageMetadata): PackageMetadata {
  const { label, architectures, permissions, profile, publisher } = metadata;
  return {
    ...metadata,
    bundleIdentifier: short('The identifier of the app', metadata.bundleIdentifier),
    version: short('The version', metadata.version),
    shortVersion: short('The version', metadata.shortVersion),
    minOs: short('The minimum OS version', metadata.minOs),
    minApiLevel: short('The minimum API level', metadata.minApiLevel),
    ...(publisher !== undefined && { publisher: short('The publisher', publisher, MAX_PUBLISHER_LENGTH) }),
    ...(label !== undefined && { label: plain(label.slice(0, MAX_TEXT_LENGTH)) }),
    ...(architectures && { architectures: few(architectures, 50) }),
    ...(permissions && { permissions: few(permissions, MAX_PERMISSIONS) }),
    ...(profile && {
      profile: {
        ...profile,
        name: plain(profile.name.slice(0, MAX_TEXT_LENGTH)),
        teamId: short('The team in the provisioning profile', profile.teamId),
        bundleId: short('The app ID in the provisioning profile', profile.bundleId),
        udids: few(profile.udids, MAX_DEVICES),
      },
    }),
  };
}
