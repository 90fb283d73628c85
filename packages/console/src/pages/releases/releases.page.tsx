import { Button, Group, Stack, Text } from '@mantine/core';
import { getPackageKind, isVersionNeeded, releases_deleteMany, releaseUploads_put } from '@mooring/contract';
import { IconPackage, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useReleaseUpload } from '../../api/releases/release-uploads.ts';
import { type Release, useDeleteReleases, useReleases } from '../../api/releases/releases.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { useFilters } from '../../components/filters/filters.tsx';
import { AppIcon } from '../../components/images/app-icon.tsx';
import { Page } from '../../components/layout/page.tsx';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { formatSize } from '../../components/text/format-size.ts';
import { NameLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { inPercent } from '../crashes/issue-labels.tsx';
import { useCrashFree } from './crash-free.ts';
import { NewRelease } from './new-release.tsx';
import { Destinations, formatVersion, getReleaseState, StateBadge, stateLabels } from './release-labels.tsx';

/** First line of the notes, without Markdown. */
const getFirstLine = ({ release_notes = '' }: Release): string | undefined =>
  release_notes
    .split('\n')
    .map((line) => line.replace(/^[\s#>*+-]{1,12}/, ''))
    .find((line) => line.trim());

export default function ReleasesPage() {
  const { appRef, can } = useCurrentApp();
  const releases = useReleases(appRef);
  const upload = useReleaseUpload(appRef);
  // The command palette links to the open form.
  const [isAdding, setAdding] = useState(() => new URLSearchParams(window.location.search).get('new') === 'release');
  const canUpload = can(releaseUploads_put);
  // Opens the upload if there are no releases.
  const isOpen = canUpload && (isAdding || upload !== undefined || releases.data?.length === 0);
  return (
    <Page
      title="Releases"
      description="Uploaded packages and where they were distributed."
      actions={
        canUpload &&
        !isOpen && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            New release
          </Button>
        )
      }
    >
      {isOpen && <NewRelease onClose={isAdding ? () => setAdding(false) : undefined} />}
      <List />
    </Page>
  );
}

function List() {
  const { app, appRef, params, can } = useCurrentApp();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const confirmation = useConfirm<readonly Release[]>({
    title: (chosen) => `Delete ${formatCount(chosen.length, 'release')}?`,
    action: 'Delete releases',
    consequence: (chosen) =>
      `${chosen.map(formatVersion).join(', ')}: deletes their files, and download links stop working. Existing installs stay. This cannot be undone.`,
    openDialog: useDeleteReleases(appRef),
  });
  const crashFree = useCrashFree();
  const releases = useReleases(appRef);
  const groups = [
    ...new Map(
      (releases.data ?? []).flatMap(({ destinations = [] }) =>
        destinations.map(({ id, name = id, display_name = name }) => [id, display_name] as const),
      ),
    ),
  ];
  const filters = useFilters([
    {
      name: 'group',
      label: 'Distributed to',
      kind: 'choice',
      choices: groups.map(([value, label]) => ({ value, label })),
    },
    {
      name: 'state',
      label: 'Status',
      kind: 'choice',
      choices: Object.entries(stateLabels).map(([value, label]) => ({ value, label })),
    },
  ]);
  const { group, state } = filters.values;
  const data = releases.data?.filter(
    (release) =>
      (!group || release.destinations?.some(({ id }) => id === group)) &&
      (!state || getReleaseState(release) === state),
  );
  const chosen = (data ?? []).filter(({ id }) => selected.has(String(id)));
  const columns: Column<Release>[] = [
    {
      id: 'release',
      label: 'Release',
      text: (release) => `${formatVersion(release)} ${release.release_notes ?? ''}`,
      cell: (release) => (
        <Group gap="xs" wrap="nowrap">
          <AppIcon app={{ ...app, icon_url: release.icon_url ?? app.icon_url }} size={28} />
          <Stack gap={0} miw={0}>
            <NameLink to={pathTo('appRelease', { ...params, release: String(release.id) })}>
              {formatVersion(release)}
            </NameLink>
            <Text size="xs" c="dimmed" truncate>
              {getFirstLine(release) ?? `.${release.file_extension}`}
            </Text>
          </Stack>
        </Group>
      ),
    },
    {
      id: 'status',
      label: 'Status',
      width: 140,
      text: (release) => stateLabels[getReleaseState(release)],
      cell: (release) => <StateBadge release={release} />,
    },
    {
      id: 'distributed_to',
      label: 'Distributed to',
      width: 260,
      text: ({ destinations = [] }) => destinations.map(({ display_name, name }) => display_name ?? name).join(', '),
      cell: (release) => <Destinations release={release} />,
    },
    {
      id: 'size',
      label: 'Size',
      width: 100,
      isSecondary: true,
      mobileDisplay: 'hidden',
      text: ({ size = 0 }) => size,
      isNumber: true,
      cell: ({ size = 0 }) => formatSize(size),
    },
    {
      id: 'downloads',
      label: 'Downloads',
      width: 110,
      mobileDisplay: 'label',
      text: ({ download_count = 0 }) => download_count,
      isNumber: true,
      cell: ({ download_count = 0 }) => download_count.toLocaleString(),
    },
    {
      id: 'crash_free',
      label: 'Crash-free',
      width: 110,
      mobileDisplay: 'label',
      text: (release) => crashFree(release) ?? -1,
      cell: (release) => {
        const share = crashFree(release);
        return share === undefined ? '–' : inPercent(share);
      },
    },
    timeColumn('uploaded', 'Uploaded', ({ uploaded_at }) => uploaded_at),
  ];
  return (
    <>
      {chosen.length > 0 && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => confirmation.open(chosen)}
          >
            Delete {formatCount(chosen.length, 'release')}
          </Button>
        </Group>
      )}
      <DataTable
        id="releases"
        label="Releases"
        search="Search version, notes or group"
        filters={filters.bar}
        query={{ ...releases, data }}
        rowKey={({ id }) => String(id)}
        columns={columns}
        {...(can(releases_deleteMany)
          ? { selection: { selected, onSelect: setSelected, canSelect: () => true, rowName: formatVersion } }
          : {})}
        empty={<NoReleases />}
      />
      {confirmation.dialog}
    </>
  );
}

/** Upload commands for this app. */
function NoReleases() {
  const { app, can } = useCurrentApp();
  const name = `${app.owner.name}/${app.name}`;
  const file = exampleFiles[app.os] ?? 'app.zip';
  const kind = getPackageKind(file);
  const version = kind && isVersionNeeded(kind) ? '1.0' : undefined;
  if (!can(releaseUploads_put)) {
    return (
      <EmptyState icon={<IconPackage size={32} aria-hidden />}>
        No releases yet. Ask a developer of this app to upload one.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconPackage size={32} aria-hidden />}
      action={
        <Stack gap={4} maw="100%">
          <Copyable
            value={`mooring releases upload ${name} ${file} --group Testers${version ? ` --build-version ${version}` : ''}`}
            label="mooring command"
          />
          <Copyable
            value={`appcenter distribute release -a ${name} -f ${file} -g Testers${version ? ` -b ${version}` : ''}`}
            label="appcenter command"
          />
          <Copyable
            value={`curl -X PUT -H "X-API-Token: $TOKEN" -H "Content-Type: application/octet-stream" --data-binary @${file} "${window.location.origin}/v0.1/apps/${name}/releases/uploads?file_name=${file}${version ? `&build_version=${version}` : ''}"`}
            label="curl command"
          />
        </Stack>
      }
    >
      No releases yet. Drop a package above, or upload it from a command line or build server:
    </EmptyState>
  );
}

const exampleFiles: Record<string, string> = {
  Android: 'app.apk',
  iOS: 'app.ipa',
  tvOS: 'app.ipa',
  macOS: 'app.zip',
  Windows: 'app.msix',
  Linux: 'app.deb',
};
