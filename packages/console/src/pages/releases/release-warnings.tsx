import { Alert, List } from '@mantine/core';
import { type ReleaseDetails, useReleases } from '../../api/releases.ts';
import { useAppHere } from '../../parts/may.ts';

const WEEK = 7 * 24 * 60 * 60 * 1000;

/** What stops people from installing it, or soon will. */
export function ReleaseWarnings({ release }: { release: ReleaseDetails }) {
  const { appRef } = useAppHere();
  const all = useReleases(appRef).data ?? [];
  const { provisioning_profile_expiry_date: ends, provisioning_profile_type: type, fileExtension } = release;
  const left = ends ? Date.parse(ends) - Date.now() : undefined;
  const twin = all.find(
    ({ id, version, short_version }) =>
      id < release.id && version === release.version && short_version === release.short_version,
  );
  const found = [
    left !== undefined && left <= 0 && 'Its provisioning profile has expired: no device installs it. Sign it anew.',
    left !== undefined && left > 0 && left < WEEK && 'Its provisioning profile expires within a week.',
    type === 'other' &&
      'It is signed for a store, so devices refuse it from here. Sign it ad hoc or for an enterprise.',
    fileExtension === 'apk' &&
      !release.certificate_fingerprint &&
      'It is not signed: Android refuses it. Sign it with apksigner, then upload it again.',
    fileExtension === 'aab' &&
      'An .aab is for Google Play; phones cannot install it. Upload an .apk for testers who install from here.',
    twin && `Release ${twin.id} has the same version and build: phones that have it may not take this as an update.`,
  ].filter((text) => typeof text === 'string');
  if (found.length === 0) return null;
  return (
    <Alert color="yellow" title="Before you distribute it">
      <List size="sm">
        {found.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
