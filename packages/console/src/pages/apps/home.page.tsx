import { platformsOf } from '@mooring/contract';
import { IconApps, IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useApps } from '../../api/apps.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFilters } from '../../parts/filters.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { Page } from '../../parts/page.tsx';
import { paths } from '../../paths.ts';
import { appColumn, factColumns, ownerColumn } from './app-columns.tsx';
import { filterApps, ownersOf } from './app-filter.ts';

const systems = Object.keys(platformsOf).map((os) => ({ value: os, label: os }));

export default function HomePage() {
  const apps = useApps();
  const owners = useMemo(() => ownersOf(apps.data ?? []), [apps.data]);
  const { values, bar } = useFilters([
    { name: 'os', label: 'OS', kind: 'choice', choices: systems },
    { name: 'owner', label: 'Owner', kind: 'choice', choices: owners },
  ]);
  const { os, owner } = values;
  const found = useMemo(() => apps.data && filterApps(apps.data, { os, owner }), [apps.data, os, owner]);
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
        reading={{ ...apps, data: found }}
        columns={columns}
        keyOf={({ id }) => id}
        search="Search apps"
        filters={bar}
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
