import { type AppOs, platformsOf } from '@mooring/contract';
import { IconApps, IconPlus } from '@tabler/icons-react';
import { useAppPages } from '../../api/apps.ts';
import { useOrgs } from '../../api/orgs.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFilters } from '../../parts/filters.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { useMe } from '../../parts/me.ts';
import { Page } from '../../parts/page.tsx';
import { useListQuery } from '../../parts/table-state.ts';
import { paths } from '../../paths.ts';
import { appColumn, factColumns, ownerColumn } from './app-columns.tsx';

const systems = Object.keys(platformsOf) as AppOs[];

export default function HomePage() {
  const me = useMe();
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
      lead="Every app that you can see, whoever owns it."
      actions={
        <ButtonLink to={paths.newApp} leftSection={<IconPlus size={16} aria-hidden />}>
          New app
        </ButtonLink>
      }
    >
      <DataTable
        label="Apps"
        reading={apps}
        columns={columns}
        keyOf={({ id }) => id}
        search="Search apps"
        filters={bar}
        isServers
        empty={
          <Empty
            icon={<IconApps size={32} aria-hidden />}
            action={<ButtonLink to={paths.newApp}>Create the first one</ButtonLink>}
          >
            You have no apps yet. Create one, or ask somebody to invite you to theirs.
          </Empty>
        }
      />
    </Page>
  );
}

const columns = [appColumn, ownerColumn, ...factColumns];
