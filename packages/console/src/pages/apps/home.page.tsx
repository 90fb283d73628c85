import { type AppOs, platformsByOs } from '@mooring/contract';
import { IconApps, IconPlus } from '@tabler/icons-react';
import { useAppPages } from '../../api/apps.ts';
import { useOrgs } from '../../api/organizations/orgs.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { useFilters } from '../../components/filters/filters.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { useListQuery } from '../../components/tables/table-state.ts';
import { ButtonLink } from '../../components/text/links.tsx';
import { useCurrentUser } from '../../context/current-user.ts';
import { paths } from '../../paths.ts';
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

const columns = [appColumn, ownerColumn, ...factColumns];
