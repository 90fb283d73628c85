import { Badge } from '@mantine/core';
import type { ListedApp } from '../../api/apps.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Named } from '../../parts/named.tsx';
import { inWords } from '../../parts/role-words.ts';
import type { Column } from '../../parts/table.ts';
import { appPath, pathTo } from '../../paths.ts';

/** An app with its icon, as lists show it. */
export const AppName = ({ app }: { app: Pick<ListedApp, 'owner' | 'name' | 'display_name' | 'icon_url' | 'os'> }) => (
  <Named
    to={appPath(app)}
    name={app.display_name}
    id={`${app.owner.name}/${app.name}`}
    image={app.icon_url}
    os={app.os}
  />
);

export const appColumn: Column<ListedApp> = {
  label: 'App',
  sort: 'display_name',
  text: ({ display_name, owner, name }) => `${display_name} (${owner.name}/${name})`,
  cell: (app) => <AppName app={app} />,
};

export const ownerColumn: Column<ListedApp> = {
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
  { label: 'OS', width: 100, sort: 'os', text: ({ os }) => os, cell: ({ os }) => os },
  {
    label: 'Platform',
    width: 140,
    text: ({ platform }) => platform,
    cell: ({ platform }) => platform,
    isSecondary: true,
  },
  {
    label: 'Release type',
    width: 120,
    isSecondary: true,
    text: ({ release_type }) => release_type,
    cell: ({ release_type }) => (release_type ? <Badge color="gray">{release_type}</Badge> : '—'),
  },
  {
    label: 'Your role',
    width: 110,
    text: ({ permission }) => inWords(permission),
    cell: ({ permission }) => inWords(permission),
  },
  timeColumn('Updated', ({ updated_at }) => updated_at, { sort: 'updated_at', isSecondary: true }),
];
