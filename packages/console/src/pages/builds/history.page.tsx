import { IconHammer } from '@tabler/icons-react';
import { type BuildFilter, useBuilds } from '../../api/builds.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFilters } from '../../parts/filters.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { pathTo } from '../../paths.ts';
import { buildColumns } from './build-columns.tsx';
import { type BuildState, buildStateWords } from './build-words.tsx';

const asked: Record<BuildState, BuildFilter> = {
  queued: { status: 'notStarted' },
  building: { status: 'inProgress' },
  stopping: { status: 'cancelling' },
  succeeded: { result: 'succeeded' },
  failed: { result: 'failed' },
  canceled: { result: 'canceled' },
};

export default function HistoryPage() {
  const { appRef, params } = useAppHere();
  const filters = useFilters([
    {
      name: 'state',
      label: 'State',
      kind: 'choice',
      choices: Object.entries(buildStateWords).map(([value, label]) => ({ value, label })),
    },
  ]);
  const builds = useBuilds(appRef, asked[filters.values.state as BuildState] ?? {});
  return (
    <Page title="History" lead="Builds of all branches, newest first; those in the queue are among them.">
      <DataTable
        label="Builds"
        isServers
        filters={filters.bar}
        reading={builds}
        keyOf={({ id }) => String(id)}
        columns={buildColumns(params, { hasBranch: true })}
        empty={
          <Empty
            icon={<IconHammer size={32} aria-hidden />}
            action={<ButtonLink to={pathTo('appBranches', params)}>Branches</ButtonLink>}
          >
            Nothing was built yet. Choose a branch, and say how it is built.
          </Empty>
        }
      />
    </Page>
  );
}
