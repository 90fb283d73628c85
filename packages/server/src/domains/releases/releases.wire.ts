import type { Deps } from '../../context.ts';
import { toIso } from '../../kernel/clock.ts';
import type { App } from '../apps/index.ts';
import { shownAvatar } from '../avatars/index.ts';
import { installLinks } from './install/install-links.ts';
import { type Destination, type DistributedRelease, isProvisioned, type Release } from './releases.ts';

export const basicsToWire = (release: Release) => ({
  id: release.id,
  version: release.version,
  origin: 'appcenter' as const,
  short_version: release.shortVersion,
  enabled: release.isEnabled,
  uploaded_at: toIso(release.uploadedAt),
  is_external_build: false,
});

const groupToWire = ({ id, name, displayName, isLatest, isPublic }: Destination) => ({
  id,
  name,
  display_name: displayName,
  origin: 'appcenter' as const,
  is_latest: isLatest,
  is_public: isPublic,
});

const destinationToWire = ({ id, name, displayName, type, isLatest, isMandatory, store }: Destination) => ({
  id,
  name,
  display_name: displayName,
  destination_type: type,
  is_latest: isLatest,
  mandatory_update: isMandatory,
  type: store?.type,
  publishing_status: store?.status,
});

const storeToWire = ({ id, name, isLatest, store }: Destination) => ({
  id,
  name,
  type: store?.type,
  publishing_status: store?.status,
  is_latest: isLatest,
});

const destinationsToWire = ({ destinations }: DistributedRelease) => ({
  destination_type: destinations[0]?.type,
  distribution_groups: destinations.filter(({ type }) => type === 'group').map(groupToWire),
  distribution_stores: destinations.filter(({ type }) => type === 'store').map(storeToWire),
  destinations: destinations.map(destinationToWire),
});

/** The last part of the extension: `apk`, `zip`. */
const getExtension = ({ kind }: Release): string => kind.split('.').at(-1) ?? kind;

export const listedToWire = (ctx: Deps) => (release: DistributedRelease) => ({
  ...basicsToWire(release),
  ...destinationsToWire(release),
  build: release.build,
  size: release.size,
  file_extension: getExtension(release),
  release_notes: release.notes,
  download_count: release.downloads,
  icon_url: shownAvatar(ctx, release.iconPath),
});

const isMandatoryFor = ({ destinations }: DistributedRelease, groupId: string): boolean =>
  destinations.some(({ id, isMandatory }) => id === groupId && isMandatory);

export const groupReleaseToWire = (release: DistributedRelease, groupId: string) => ({
  ...basicsToWire(release),
  mandatory_update: isMandatoryFor(release, groupId),
});

/** The view: that of one group, or of a user with access through several. */
export interface View {
  groupId?: string | undefined;
  udid?: string | undefined;
}

export function releaseToWire(ctx: Deps, app: App, release: DistributedRelease, { groupId, udid }: View = {}) {
  const { profile, architectures, permissions, certificate } = release.metadata;
  const { downloadUrl, installUrl } = installLinks(ctx, app.id, release);
  const group = release.destinations.find(
    ({ type, id }) => type === 'group' && (groupId === undefined || id === groupId),
  );
  return {
    ...basicsToWire(release),
    app_name: app.name,
    app_display_name: app.displayName,
    app_os: app.os,
    owner: { name: app.owner.name, display_name: app.owner.displayName },
    app_icon_url: shownAvatar(ctx, release.iconPath ?? app.iconUrl) ?? '',
    release_notes: release.notes,
    provisioning_profile_name: profile?.name,
    provisioning_profile_type: profile?.type,
    provisioning_profile_expiry_date: profile?.expiresAt === undefined ? undefined : toIso(profile.expiresAt),
    is_provisioning_profile_syncing: profile && false,
    is_udid_provisioned: profile && udid !== undefined ? isProvisioned(profile, udid) : undefined,
    size: release.size,
    min_os: release.minOs,
    device_family: release.deviceFamily,
    android_min_api_level: release.minApiLevel,
    bundle_identifier: release.bundleIdentifier,
    package_hashes: release.hashes,
    fingerprint: release.sha256,
    download_url: downloadUrl,
    install_url: installUrl,
    ...destinationsToWire(release),
    distribution_group_id: group?.id,
    build: release.build,
    status: release.isEnabled ? ('available' as const) : ('unavailable' as const),
    mandatory_update: group?.isMandatory ?? release.destinations.some(({ isMandatory }) => isMandatory),
    is_latest: group?.isLatest,
    fileExtension: getExtension(release),
    architectures,
    permissions,
    certificate_fingerprint: certificate,
    download_count: release.downloads,
  };
}
