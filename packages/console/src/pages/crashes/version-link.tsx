import { releases_list } from '@mooring/contract';
import { useReleases } from '../../api/releases/releases.ts';
import { TextLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';

/** A version of the app: links to its release, or to its crashes if it was not released here. */
export function VersionLink({ version, build }: { version: string; build?: string | undefined }) {
  const { appRef, params, can } = useCurrentApp();
  const releases = useReleases(appRef, can(releases_list)).data ?? [];
  const release = releases.find(
    (one) => one.short_version === version && (build === undefined || one.version === build),
  );
  return (
    <TextLink
      size="sm"
      to={
        release
          ? pathTo('appRelease', { ...params, release: String(release.id) })
          : pathTo('appCrashes', params, { version })
      }
    >
      {build === undefined ? version : `${version} (${build})`}
    </TextLink>
  );
}
