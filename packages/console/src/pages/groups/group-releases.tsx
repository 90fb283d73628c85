import { Group, Stack, Text } from '@mantine/core';
import { IconPackage } from '@tabler/icons-react';
import { type Release, useReleases } from '../../api/releases.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NameLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { QrImage } from '../../parts/qr-image.tsx';
import { sizeInWords } from '../../parts/size-words.ts';
import type { Column } from '../../parts/table.ts';
import { installPath, pathTo } from '../../paths.ts';
import { StateBadge, versionInWords } from '../releases/release-words.tsx';

/** Where programs for a desktop look for updates by themselves. */
function UpdateFeeds({ group }: { group: string }) {
  const { app } = useAppHere();
  if (app.os !== 'macOS' && app.os !== 'Windows') return null;
  const path = [app.owner.name, app.name, 'distribution_groups', group].map(encodeURIComponent).join('/');
  const base = `${window.location.origin}/v0.1/apps/${path}`;
  return (
    <Stack gap={4}>
      <Text size="sm">While the group is public, apps with Sparkle update themselves from its appcast.</Text>
      <Copyable value={`${base}/appcast`} label="the address of the appcast" />
      {app.os === 'Windows' && (
        <>
          <Text size="sm">The App Installer of Windows updates .msix and .appx packages from its own file.</Text>
          <Copyable value={`${base}/appinstaller`} label="the address of the App Installer file" />
        </>
      )}
    </Stack>
  );
}

/** What a group was given, and where its testers install it. */
export function GroupReleases({ group }: { group: string }) {
  const { app, appRef, params } = useAppHere();
  const releases = useReleases(appRef);
  const data = releases.data?.filter(({ destinations = [] }) =>
    destinations.some(({ name, destination_type }) => destination_type === 'group' && name === group),
  );
  const address = window.location.origin + installPath(app, group);
  const columns: Column<Release>[] = [
    {
      label: 'Release',
      text: versionInWords,
      cell: (release) => (
        <NameLink to={pathTo('appRelease', { ...params, release: String(release.id) })}>
          {versionInWords(release)}
        </NameLink>
      ),
    },
    { label: 'State', width: 150, cell: (release) => <StateBadge release={release} /> },
    {
      label: 'Size',
      width: 110,
      isSecondary: true,
      onPhone: 'hidden',
      text: ({ size = 0 }) => size,
      cell: ({ size = 0 }) => sizeInWords(size),
    },
    timeColumn('Uploaded', ({ uploaded_at }) => uploaded_at),
  ];
  return (
    <Part title="Releases" lead="What the group was given, the newest first.">
      <Group align="center" gap="lg">
        <QrImage value={address} label="QR code of the install page" size={112} />
        <Stack gap={4} miw={0} flex={1}>
          <Text size="sm">Testers install them here; with the camera of a phone, by the code.</Text>
          <Copyable value={address} label="the address of the install page" />
        </Stack>
      </Group>
      <UpdateFeeds group={group} />
      <DataTable
        label="Releases of the group"
        name="releases"
        reading={{ ...releases, data }}
        keyOf={({ id }) => String(id)}
        columns={columns}
        empty={
          <Empty
            icon={<IconPackage size={32} aria-hidden />}
            action={
              <Copyable
                value={`mooring releases upload ${app.owner.name}/${app.name} app.apk --group "${group}"`}
                label="the command"
              />
            }
          >
            The group was given nothing yet.
          </Empty>
        }
      />
    </Part>
  );
}
