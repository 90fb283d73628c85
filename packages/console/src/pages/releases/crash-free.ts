import { crashOverview_listVersions } from '@mooring/contract';
import { useStableVersions } from '../../api/crashes.ts';
import type { Release } from '../../api/releases.ts';
import { useAppHere } from '../../parts/may.ts';

/** As long as reports are kept at least. */
const DAYS = 28;
const DAY = 86_400_000;

type Versioned = Pick<Release, 'short_version' | 'version'>;

/** Which share of the devices that were active with a release had no crash lately; nothing of one that nobody has, or that does not tell. */
export function useCrashFree(): (release: Versioned) => number | undefined {
  const { appRef, may } = useAppHere();
  const start = new Date(Date.now() - DAYS * DAY).toISOString().slice(0, 10);
  const versions = useStableVersions(appRef, start, may(crashOverview_listVersions)).data ?? [];
  return ({ short_version, version }) =>
    versions.find((one) => one.version === short_version && one.app_build === version)?.crash_free_devices;
}
