import { Button, Group, Stack, Text } from '@mantine/core';
import { isVersionNeeded, kindOfFile, releases_deleteMany, releaseUploads_put } from '@mooring/contract';
import { IconPackage, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useReleaseUpload } from '../../api/release-uploads.ts';
import { type Release, useDeleteReleases, useReleases } from '../../api/releases.ts';
import { AppIcon } from '../../parts/app-icon.tsx';
import { timeColumn } from '../../parts/columns.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFilters } from '../../parts/filters.tsx';
import { NameLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { sizeInWords } from '../../parts/size-words.ts';
import type { Column } from '../../parts/table.ts';
import { pathTo } from '../../paths.ts';
import { inPercent } from '../crashes/issue-words.tsx';
import { useCrashFree } from './crash-free.ts';
import { NewRelease } from './new-release.tsx';
import { Destinations, StateBadge, stateOf, stateWords, versionInWords } from './release-words.tsx';

/** Of its notes, without the marks of Markdown. */
const firstLineOf = ({ release_notes = '' }: Release): string | undefined =>
  release_notes
    .split('\n')
    .map((line) => line.replace(/^[\s#>*+-]{1,12}/, ''))
    .find((line) => line.trim());

export default function ReleasesPage() {
  const { appRef, may } = useAppHere();
  const releases = useReleases(appRef);
  const upload = useReleaseUpload(appRef);
  const [isAdding, setAdding] = useState(false);
  const mayUpload = may(releaseUploads_put);
  // Whoever has none yet comes to add one.
  const isOpen = mayUpload && (isAdding || upload !== undefined || releases.data?.length === 0);
  return (
    <Page
      title="Releases"
      lead="Packages of the app, and which testers have them."
      actions={
        mayUpload &&
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
  const { app, appRef, params, may } = useAppHere();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const question = useQuestion<readonly Release[]>({
    title: (chosen) => `Delete ${chosen.length === 1 ? 'a release' : `${chosen.length} releases`}?`,
    action: 'Delete',
    loss: (chosen) =>
      `${chosen.map(versionInWords).join(', ')}: their files are deleted, and links to them no longer work. Apps that have them installed keep them. This cannot be undone.`,
    doing: useDeleteReleases(appRef),
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
      label: 'Given to',
      kind: 'choice',
      choices: groups.map(([value, label]) => ({ value, label })),
    },
    {
      name: 'state',
      label: 'State',
      kind: 'choice',
      choices: Object.entries(stateWords).map(([value, label]) => ({ value, label })),
    },
  ]);
  const { group, state } = filters.values;
  const data = releases.data?.filter(
    (release) =>
      (!group || release.destinations?.some(({ id }) => id === group)) && (!state || stateOf(release) === state),
  );
  const chosen = (data ?? []).filter(({ id }) => selected.has(String(id)));
  const columns: Column<Release>[] = [
    {
      label: 'Release',
      text: (release) => `${versionInWords(release)} ${release.release_notes ?? ''}`,
      cell: (release) => (
        <Group gap="xs" wrap="nowrap">
          <AppIcon app={{ ...app, icon_url: release.icon_url ?? app.icon_url }} size={28} />
          <Stack gap={0} miw={0}>
            <NameLink to={pathTo('appRelease', { ...params, release: String(release.id) })}>
              {versionInWords(release)}
            </NameLink>
            <Text size="xs" c="dimmed" truncate>
              {firstLineOf(release) ?? `.${release.file_extension}`}
            </Text>
          </Stack>
        </Group>
      ),
    },
    {
      label: 'State',
      width: 140,
      text: (release) => stateWords[stateOf(release)],
      cell: (release) => <StateBadge release={release} />,
    },
    {
      label: 'Given to',
      width: 260,
      text: ({ destinations = [] }) => destinations.map(({ display_name, name }) => display_name ?? name).join(', '),
      cell: (release) => <Destinations release={release} />,
    },
    {
      label: 'Size',
      width: 100,
      isSecondary: true,
      onPhone: 'hidden',
      text: ({ size = 0 }) => size,
      cell: ({ size = 0 }) => sizeInWords(size),
    },
    {
      label: 'Downloads',
      width: 110,
      onPhone: 'label',
      text: ({ download_count = 0 }) => download_count,
      cell: ({ download_count = 0 }) => download_count.toLocaleString(),
    },
    {
      label: 'Crash-free',
      width: 110,
      onPhone: 'label',
      text: (release) => crashFree(release) ?? -1,
      cell: (release) => {
        const share = crashFree(release);
        return share === undefined ? '–' : inPercent(share);
      },
    },
    timeColumn('Uploaded', ({ uploaded_at }) => uploaded_at),
  ];
  return (
    <>
      {chosen.length > 0 && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => question.ask(chosen)}
          >
            Delete {chosen.length.toLocaleString()}
          </Button>
        </Group>
      )}
      <DataTable
        label="Releases"
        search="Version, notes or group"
        filters={filters.bar}
        reading={{ ...releases, data }}
        keyOf={({ id }) => String(id)}
        columns={columns}
        {...(may(releases_deleteMany)
          ? { selection: { selected, onSelect: setSelected, canSelect: () => true, nameOf: versionInWords } }
          : {})}
        empty={<NoReleases />}
      />
      {question.dialog}
    </>
  );
}

/** The very commands, for this app. */
function NoReleases() {
  const { app, may } = useAppHere();
  const name = `${app.owner.name}/${app.name}`;
  const file = exampleFiles[app.os] ?? 'app.zip';
  const kind = kindOfFile(file);
  const version = kind && isVersionNeeded(kind) ? '1.0' : undefined;
  if (!may(releaseUploads_put)) {
    return (
      <Empty icon={<IconPackage size={32} aria-hidden />}>
        There is no release for you yet. A developer of the app can upload one.
      </Empty>
    );
  }
  return (
    <Empty
      icon={<IconPackage size={32} aria-hidden />}
      action={
        <Stack gap={4} maw="100%">
          <Copyable
            value={`mooring releases upload ${name} ${file} --group Testers${version ? ` --build-version ${version}` : ''}`}
            label="the command of mooring"
          />
          <Copyable
            value={`appcenter distribute release -a ${name} -f ${file} -g Testers${version ? ` -b ${version}` : ''}`}
            label="the command of appcenter"
          />
          <Copyable
            value={`curl -X PUT -H "X-API-Token: $TOKEN" -H "Content-Type: application/octet-stream" --data-binary @${file} "${window.location.origin}/v0.1/apps/${name}/releases/uploads?file_name=${file}${version ? `&build_version=${version}` : ''}"`}
            label="the command of curl"
          />
        </Stack>
      }
    >
      There are no releases yet. Drop a package above, or upload it from a command line or a build server:
    </Empty>
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
