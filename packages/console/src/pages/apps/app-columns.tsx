import { Badge, Group, Text } from '@mantine/core';
import type { App } from '../../api/apps.ts';
import { inWords } from '../../parts/choice.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Image } from '../../parts/image.tsx';
import { NameLink, TextLink } from '../../parts/links.tsx';
import { appPath } from '../../parts/may.ts';

export const appColumn: Column<App> = {
  label: 'App',
  cell: (app) => (
    <Group gap="sm" wrap="nowrap">
      <Image address={app.icon_url} name={app.display_name} size={30} />
      <div>
        <NameLink to={appPath(app)}>{app.display_name}</NameLink>
        <Text size="xs" c="dimmed">
          {app.owner.name}/{app.name}
        </Text>
      </div>
    </Group>
  ),
};

export const ownerColumn: Column<App> = {
  label: 'Owner',
  cell: ({ owner }) =>
    owner.type === 'org' ? (
      <TextLink to={`/orgs/${owner.name}`} size="sm">
        {owner.display_name}
      </TextLink>
    ) : (
      owner.display_name
    ),
};

export const factColumns: Column<App>[] = [
  { label: 'OS', isWhole: true, cell: ({ os }) => os },
  { label: 'Platform', isWhole: true, cell: ({ platform }) => platform },
  {
    label: 'Release type',
    isWhole: true,
    cell: ({ release_type }) => (release_type ? <Badge color="gray">{release_type}</Badge> : '—'),
  },
  {
    label: 'My permission',
    isWhole: true,
    cell: ({ member_permissions }) => inWords(member_permissions?.[0]),
  },
];
