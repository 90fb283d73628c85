import { Group, Stack, Text } from '@mantine/core';
import { IconPackage } from '@tabler/icons-react';
import { type Release, useReleases } from '../../api/releases/releases.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { QrImage } from '../../components/images/qr-image.tsx';
import { Section } from '../../components/layout/page.tsx';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { formatSize } from '../../components/text/format-size.ts';
import { NameLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { installPath, pathTo } from '../../paths.ts';
import { formatVersion, StateBadge } from '../releases/release-labels.tsx';

/** Update feeds for desktop apps. */
function UpdateFeeds({ group }: { group: string }) {
  const { app } = useCurrentApp();
  if (app.os !== 'macOS' && app.os !== 'Windows') return null;
  const path = [app.owner.name, app.name, 'distribution_groups', group].map(encodeURIComponent).join('/');
  const base = `${window.location.origin}/v0.1/apps/${path}`;
  return (
    <Stack gap={4}>
      <Text size="sm">While this group is public, apps with Sparkle update from this appcast.</Text>
      <Copyable value={`${base}/appcast`} label="appcast URL" />
      {app.os === 'Windows' && (
        <>
          <Text size="sm">Windows App Installer updates .msix and .appx packages from this file.</Text>
          <Copyable value={`${base}/appinstaller`} label="App Installer URL" />
        </>
      )}
    </Stack>
  );
}

/** Releases of a group, and its install page. */
export function GroupReleases({ group }: { group: string }) {
  const { app, appRef, params } = useCurrentApp();
  const releases = useReleases(appRef);
  const data = releases.data?.filter(({ destinations = [] }) =>
    destinations.some(({ name, destination_type }) => destination_type === 'group' && name === group),
  );
  const address = window.location.origin + installPath(app, group);
  const columns: Column<Release>[] = [
    {
      id: 'release',
      label: 'Release',
      text: formatVersion,
      cell: (release) => (
        <NameLink to={pathTo('appRelease', { ...params, release: String(release.id) })}>
          {formatVersion(release)}
        </NameLink>
      ),
    },
    { id: 'status', label: 'Status', width: 150, cell: (release) => <StateBadge release={release} /> },
    {
      id: 'size',
      label: 'Size',
      isNumber: true,
      width: 110,
      isSecondary: true,
      mobileDisplay: 'hidden',
      text: ({ size = 0 }) => size,
      cell: ({ size = 0 }) => formatSize(size),
    },
    timeColumn('uploaded', 'Uploaded', ({ uploaded_at }) => uploaded_at),
  ];
  return (
    <Section title="Releases" description="Releases distributed to this group, newest first.">
      <Group align="center" gap="lg">
        <QrImage value={address} label="QR code of the install page" size={112} />
        <Stack gap={4} miw={0} flex={1}>
          <Text size="sm">Testers install releases from this page. On a phone, scan the code.</Text>
          <Copyable value={address} label="install page URL" />
        </Stack>
      </Group>
      <UpdateFeeds group={group} />
      <DataTable
        id="group-releases"
        label="Releases of the group"
        name="releases"
        query={{ ...releases, data }}
        rowKey={({ id }) => String(id)}
        columns={columns}
        empty={
          <EmptyState
            icon={<IconPackage size={32} aria-hidden />}
            action={
              <Copyable
                value={`mooring releases upload ${app.owner.name}/${app.name} app.apk --group "${group}"`}
                label="command"
              />
            }
          >
            No releases distributed to this group yet. Upload one:
          </EmptyState>
        }
      />
    </Section>
  );
}
