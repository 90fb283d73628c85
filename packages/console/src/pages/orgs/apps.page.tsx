import { apps_createForOrg } from '@mooring/contract';
import { IconApps, IconPlus } from '@tabler/icons-react';
import { useAppPages } from '../../api/apps.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { useOrgHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useListQuery } from '../../parts/table-state.ts';
import { paths, withQuery } from '../../paths.ts';
import { appColumn, factColumns } from '../apps/app-columns.tsx';

export default function OrgAppsPage() {
  const { org, may } = useOrgHere();
  const apps = useAppPages({ ...useListQuery(['display_name', 'os', 'updated_at']), owner: org.name });
  const create = may(apps_createForOrg) && (
    <ButtonLink to={withQuery(paths.newApp, { org: org.name })} leftSection={<IconPlus size={16} aria-hidden />}>
      New app
    </ButtonLink>
  );
  return (
    <Page title="Apps" lead={`Apps of ${org.display_name} that you can see.`} actions={create}>
      <DataTable
        label="Apps"
        search="Search apps"
        isServers
        reading={apps}
        columns={[appColumn, ...factColumns]}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={<IconApps size={32} aria-hidden />} action={create}>
            {create
              ? `${org.display_name} has no apps yet.`
              : `No app of ${org.display_name} is open to you. Ask an admin for access.`}
          </Empty>
        }
      />
    </Page>
  );
}
