import { Alert, List } from '@mantine/core';
import { type ReleaseDetails, useReleases } from '../../api/releases/releases.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { getReleaseState } from './release-labels.tsx';

const WEEK = 7 * 24 * 60 * 60 * 1000;

/** Problems that prevent the installation, now or soon. */
export function ReleaseWarnings({ release }: { release: ReleaseDetails }) {
  const { appRef } = useCurrentApp();
  const all = useReleases(appRef).data ?? [];
  const { provisioning_profile_expiry_date: ends, provisioning_profile_type: type, fileExtension } = release;
  const left = ends ? Date.parse(ends) - Date.now() : undefined;
  const twin = all.find(
    ({ id, version, short_version }) =>
      id < release.id && version === release.version && short_version === release.short_version,
  );
  const warnings = [
    left !== undefined &&
      left <= 0 &&
      'The provisioning profile has expired, so no device can install this release. Re-sign it.',
    left !== undefined && left > 0 && left < WEEK && 'The provisioning profile expires within a week.',
    type === 'other' &&
      "This release is signed for the store, so devices can't install it from here. Sign it with an ad hoc or enterprise profile.",
    fileExtension === 'apk' &&
      !release.certificate_fingerprint &&
      "This package is not signed, so Android can't install it. Sign it with apksigner and upload it again.",
    fileExtension === 'aab' &&
      "An .aab file is for Google Play: phones can't install it. Upload an .apk for your testers.",
    twin &&
      `Release ${twin.id} has the same version and build number. Devices that run it may not see this release as an update.`,
  ].filter((text) => typeof text === 'string');
  if (warnings.length === 0) return null;
  return (
    <Alert
      color="yellow"
      title={
        getReleaseState(release) === 'released' ? 'Testers may have problems' : 'Before you distribute this release'
      }
    >
      <List size="sm">
        {warnings.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
