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
