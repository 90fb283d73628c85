import type { ReleaseDetails } from '../../api/releases/releases.ts';
import { formatSize } from '../../components/text/format-size.ts';

export type Compared = ReleaseDetails & { crashFree: string | undefined };

export interface ComparedRow {
  label: string;
  one: string;
  other: string;
  isDifferent: boolean;
}

type Comparable = Pick<
  Compared,
  | 'short_version'
  | 'version'
  | 'size'
  | 'min_os'
  | 'android_min_api_level'
  | 'bundle_identifier'
  | 'architectures'
  | 'fileExtension'
  | 'certificate_fingerprint'
  | 'provisioning_profile_name'
  | 'provisioning_profile_type'
  | 'download_count'
  | 'crashFree'
>;

const comparedFields: [label: string, read: (release: Comparable) => string | undefined][] = [
  ['Version', ({ short_version }) => short_version],
  ['Build', ({ version }) => version],
  ['Size', ({ size }) => formatSize(size)],
  ['File type', ({ fileExtension }) => fileExtension && `.${fileExtension}`],
  ['Minimum OS version', ({ min_os }) => min_os],
  ['Minimum API level', ({ android_min_api_level }) => android_min_api_level],
  ['Identifier', ({ bundle_identifier }) => bundle_identifier],
  ['Architectures', ({ architectures }) => architectures?.toSorted().join(', ')],
  ['Signed with (SHA-256)', ({ certificate_fingerprint }) => certificate_fingerprint],
  ['Provisioning profile', ({ provisioning_profile_name }) => provisioning_profile_name],
  ['Profile type', ({ provisioning_profile_type }) => provisioning_profile_type],
  ['Downloads', ({ download_count = 0 }) => download_count.toLocaleString()],
  ['Crash-free devices', ({ crashFree }) => crashFree],
];

/** Properties of both releases, side by side. */
export const compareFields = (one: Comparable, other: Comparable): ComparedRow[] =>
  comparedFields
    .map(([label, read]) => ({ label, one: read(one) ?? '', other: read(other) ?? '' }))
    .filter((row) => row.one !== '' || row.other !== '')
    .map((row) => ({ ...row, isDifferent: row.one !== row.other }));

/** Size difference of the second release. */
export function formatGrowth(one: number, other: number): string {
  if (one === other) return 'same size';
  const percent = one === 0 ? '' : ` (${other > one ? '+' : '−'}${Math.abs((100 * (other - one)) / one).toFixed(1)}%)`;
  return `${formatSize(Math.abs(other - one))} ${other > one ? 'larger' : 'smaller'}${percent}`;
}

export interface ChangedPermissions {
  added: string[];
  removed: string[];
}

/** Permissions that the second release adds and removes. */
export const changedPermissions = (one: readonly string[], other: readonly string[]): ChangedPermissions => ({
  added: other.filter((permission) => !one.includes(permission)),
  removed: one.filter((permission) => !other.includes(permission)),
});
