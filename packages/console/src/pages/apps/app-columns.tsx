import { Badge } from '@mantine/core';
import type { App } from '../../api/apps.ts';
import { inWords } from '../../parts/choice.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Named } from '../../parts/named.tsx';
import type { Column } from '../../parts/table.ts';
import { appPath, pathTo } from '../../paths.ts';

export const appColumn: Column<App> = {
  label: 'App',
  width: '36%',
  text: ({ display_name, owner, name }) => `${display_name} (${owner.name}/${name})`,
  cell: (app) => (
    <Named
      to={appPath(app)}
      name={app.display_name}
      id={`${app.owner.name}/${app.name}`}
      image={app.icon_url}
      os={app.os}
    />
  ),
};

export const ownerColumn: Column<App> = {
  label: 'Owner',
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

export const factColumns: Column<App>[] = [
  { label: 'OS', width: 100, text: ({ os }) => os, cell: ({ os }) => os },
  {
    label: 'Platform',
    width: 170,
    text: ({ platform }) => platform,
    cell: ({ platform }) => platform,
    isSecondary: true,
  },
  {
    label: 'Release type',
    width: 120,
    isSecondary: true,
    onPhone: 'hidden',
    text: ({ release_type }) => release_type,
    cell: ({ release_type }) => (release_type ? <Badge color="gray">{release_type}</Badge> : '—'),
  },
  {
    label: 'Your role',
    width: 110,
    text: ({ member_permissions }) => inWords(member_permissions?.[0]),
    cell: ({ member_permissions }) => inWords(member_permissions?.[0]),
  },
];
