import type { Handover, PackageKind } from '@mooring/contract';

export type StoreType = 'googleplay' | 'intune' | 'apple';

interface StoreKind {
  name: string;
  /** Packages that the store accepts. */
  packages: readonly PackageKind[];
  /** The first is the default. */
  tracks: readonly string[];
  /** The command that a runner must have; without it, this server publishes directly. */
  handover?: Handover;
}

export const storeKinds: Readonly<Record<StoreType, StoreKind>> = {
  googleplay: { name: 'Google Play', packages: ['apk', 'aab'], tracks: ['production', 'beta', 'alpha'] },
  apple: {
    name: 'The App Store',
    packages: ['ipa', 'pkg'],
    tracks: ['production', 'testflight-internal', 'testflight-external'],
    handover: 'publish-appstore',
  },
  intune: {
    name: 'Intune',
    packages: ['apk', 'ipa', 'msi', 'msix', 'msixbundle', 'appx', 'appxbundle', 'pkg', 'dmg'],
    tracks: [],
    handover: 'publish-intune',
  },
};
