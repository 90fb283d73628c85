import { crashOverview_listVersions } from '@mooring/contract';
import type { Release } from '../../api/releases/releases.ts';
import { useStableVersions } from '../../api/telemetry/crashes.ts';
import { useCurrentApp } from '../../context/permissions.ts';

/** The shortest retention of reports. */
const DAYS = 28;
const DAY = 86_400_000;

type Versioned = Pick<Release, 'short_version' | 'version'>;

/** Crash-free share of the devices with a recent session in a release. Undefined without devices or telemetry. */
export function useCrashFree(): (release: Versioned) => number | undefined {
  const { appRef, can } = useCurrentApp();
  const start = new Date(Date.now() - DAYS * DAY).toISOString().slice(0, 10);
  const versions = useStableVersions(appRef, start, can(crashOverview_listVersions)).data ?? [];
  return ({ short_version, version }) =>
    versions.find((one) => one.version === short_version && one.app_build === version)?.crash_free_devices;
}
