import { apps_createForOrg } from '@mooring/contract';
import { IconApps, IconPlus } from '@tabler/icons-react';
import { useAppPages } from '../../api/apps.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { useListQuery } from '../../components/tables/table-state.ts';
import { ButtonLink } from '../../components/text/links.tsx';
import { useCurrentOrg } from '../../context/permissions.ts';
import { paths, withQuery } from '../../paths.ts';
import { appColumn, factColumns } from '../apps/app-columns.tsx';

export default function OrgAppsPage() {
  const { org, can } = useCurrentOrg();
  const apps = useAppPages({ ...useListQuery(['display_name', 'os', 'updated_at']), owner: org.name });
  const create = can(apps_createForOrg) && (
    <ButtonLink to={withQuery(paths.newApp, { org: org.name })} leftSection={<IconPlus size={16} aria-hidden />}>
      New app
    </ButtonLink>
  );
  return (
    <Page title="Apps" description={`Apps of ${org.display_name} you have access to.`} actions={create}>
      <DataTable
        id="orgs-apps"
        label="Apps"
        search="Search apps"
        isServers
        query={apps}
        columns={[appColumn, ...factColumns]}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={<IconApps size={32} aria-hidden />} action={create}>
            {create ? 'No apps yet' : `You have no access to apps of ${org.display_name}. Ask an admin for access.`}
          </EmptyState>
        }
      />
    </Page>
  );
}
