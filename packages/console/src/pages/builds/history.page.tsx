import { IconHammer } from '@tabler/icons-react';
import { type BuildFilter, useBuilds } from '../../api/builds/builds.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { useFilters } from '../../components/filters/filters.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { ButtonLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { buildColumns } from './build-columns.tsx';
import { type BuildState, buildStateLabels } from './build-labels.tsx';

const filterByState: Record<BuildState, BuildFilter> = {
  queued: { status: 'notStarted' },
  building: { status: 'inProgress' },
  stopping: { status: 'cancelling' },
  succeeded: { result: 'succeeded' },
  failed: { result: 'failed' },
  canceled: { result: 'canceled' },
};

export default function HistoryPage() {
  const { appRef, params } = useCurrentApp();
  const filters = useFilters([
    {
      name: 'state',
      label: 'Status',
      kind: 'choice',
      choices: Object.entries(buildStateLabels).map(([value, label]) => ({ value, label })),
    },
  ]);
  const builds = useBuilds(appRef, filterByState[filters.values.state as BuildState] ?? {});
  return (
    <Page title="History" description="Builds of all branches, including queued builds, newest first.">
      <DataTable
        id="builds-history"
        label="Builds"
        isServers
        filters={filters.bar}
        query={builds}
        rowKey={({ id }) => String(id)}
        columns={buildColumns(params, { hasBranch: true })}
        empty={
          <EmptyState
            icon={<IconHammer size={32} aria-hidden />}
            action={<ButtonLink to={pathTo('appBranches', params)}>Configure branch</ButtonLink>}
          >
            No builds yet. Choose a branch and configure its builds.
          </EmptyState>
        }
      />
    </Page>
  );
}
