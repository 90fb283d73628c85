import { type AppOs, platformsByOs } from '@mooring/contract';
import { IconApps, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { type ListedApp, useAppPages } from '../../api/apps.ts';
import { useOrgs } from '../../api/organizations/orgs.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { useFilters } from '../../components/filters/filters.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';
import { ButtonLink } from '../../components/text/links.tsx';
import { useCurrentUser } from '../../context/current-user.ts';
import { paths } from '../../paths.ts';
import { recentVisits } from '../../routing/recent-visits.ts';
import { appColumn, factColumns, ownerColumn } from './app-columns.tsx';

const systems = Object.keys(platformsByOs) as AppOs[];

export default function HomePage() {
  const me = useCurrentUser();
  const owners = [me, ...(useOrgs().data ?? [])].map(({ name, display_name }) => ({
    value: name,
    label: display_name,
  }));
  const { values, bar } = useFilters([
    { name: 'os', label: 'OS', kind: 'choice', choices: systems.map((os) => ({ value: os, label: os })) },
    { name: 'owner', label: 'Owner', kind: 'choice', choices: owners },
  ]);
  const apps = useAppPages({
    ...useListQuery(['display_name', 'owner', 'os', 'updated_at']),
    os: systems.find((os) => os === values.os),
    owner: values.owner || undefined,
  });
  const ids = (apps.data ?? []).map(({ id }) => id);
  const columns = [appColumn, ...figureColumns(ids), ownerColumn, ...detailColumns, favoriteColumn];
  return (
    <Page
      title="Apps"
      description="All apps you have access to."
      actions={
        <ButtonLink to={paths.newApp} leftSection={<IconPlus size={16} aria-hidden />}>
          New app
        </ButtonLink>
      }
    >
      <div style={{ minHeight: recentVisits(me.id).length > 0 ? 44 : 0 }}>
        <Suspense>
          <Shortcuts />
        </Suspense>
      </div>
      <DataTable
        id="apps-home"
        label="Apps"
        query={apps}
        columns={columns}
        rowKey={({ id }) => id}
        search="Search apps"
        filters={bar}
        isServers
        empty={
          <EmptyState
            icon={<IconApps size={32} aria-hidden />}
            action={<ButtonLink to={paths.newApp}>Create app</ButtonLink>}
          >
            You have no apps yet. Create one, or ask for an invitation to an existing app.
          </EmptyState>
        }
      />
    </Page>
  );
}

const extras = () => import('./home-extras.tsx');
const Shortcuts = lazy(extras);
const Figure = lazy(async () => ({ default: (await extras()).AppFigure }));
const Favorite = lazy(async () => ({ default: (await extras()).FavoriteButton }));

/** The figures and buttons load after the list, into reserved space. */
const figureColumns = (ids: string[]): Column<ListedApp>[] =>
  (['Latest release', 'Active devices', 'Crash-free devices'] as const).map((label) => ({
    id: label.toLowerCase().replaceAll(/\W/g, '_'),
    label,
    width: 160,
    mobileDisplay: 'label',
    isNumber: label !== 'Latest release',
    cell: (app) => (
      <Suspense fallback="—">
        <Figure app={app} ids={ids} name={label} />
      </Suspense>
    ),
  }));

const favoriteColumn: Column<ListedApp> = {
  id: 'favorite',
  label: 'Favorite',
  width: 64,
  isActions: true,
  cell: (app) => (
    <Suspense>
      <Favorite app={app} />
    </Suspense>
  ),
};
const detailColumns = factColumns.filter(({ id }) => id === 'os' || id === 'updated_at');
