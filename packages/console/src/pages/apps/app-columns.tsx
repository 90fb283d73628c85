import { Badge } from '@mantine/core';
import type { ListedApp } from '../../api/apps.ts';
import { timeColumn } from '../../components/tables/columns.tsx';
import type { Column } from '../../components/tables/table.ts';
import { EntityLink } from '../../components/text/entity-link.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { formatRole } from '../../components/text/role-labels.ts';
import { appPath, pathTo } from '../../paths.ts';

/** App column with icon. */
export const AppName = ({ app }: { app: Pick<ListedApp, 'owner' | 'name' | 'display_name' | 'icon_url' | 'os'> }) => (
  <EntityLink
    to={appPath(app)}
    name={app.display_name}
    id={`${app.owner.name}/${app.name}`}
    image={app.icon_url}
    os={app.os}
  />
);

export const appColumn: Column<ListedApp> = {
  id: 'display_name',
  label: 'App',
  sort: 'display_name',
  text: ({ display_name, owner, name }) => `${display_name} (${owner.name}/${name})`,
  cell: (app) => <AppName app={app} />,
};

export const ownerColumn: Column<ListedApp> = {
  id: 'owner',
  label: 'Owner',
  width: 150,
  sort: 'owner',
  text: ({ owner }) => owner.display_name,
  cell: ({ owner }) =>
    owner.type === 'org' ? (
      <TextLink to={pathTo('org', { org: owner.name })} size="sm">
        {owner.display_name}
      </TextLink>
    ) : (
      owner.display_name
    ),
};

export const factColumns: Column<ListedApp>[] = [
  { id: 'os', label: 'OS', width: 100, sort: 'os', text: ({ os }) => os, cell: ({ os }) => os },
  {
    id: 'platform',
    label: 'Platform',
    width: 140,
    text: ({ platform }) => platform,
    cell: ({ platform }) => platform,
    isSecondary: true,
  },
  {
    id: 'release_type',
    label: 'Release type',
    width: 120,
    isSecondary: true,
    text: ({ release_type }) => release_type,
    cell: ({ release_type }) => (release_type ? <Badge color="gray">{release_type}</Badge> : '—'),
  },
  {
    id: 'your_role',
    label: 'Your role',
    width: 110,
    text: ({ permission }) => formatRole(permission),
    cell: ({ permission }) => formatRole(permission),
  },
  timeColumn('updated_at', 'Updated', ({ updated_at }) => updated_at, { sort: 'updated_at', isSecondary: true }),
];
