import { Button } from '@mantine/core';
import { crashReports_reprocess } from '@mooring/contract';
import { IconChecks } from '@tabler/icons-react';
import { type FailedReport, useFailedReports, useReprocess } from '../../api/telemetry/crashes.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { Section } from '../../components/layout/page.tsx';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useCurrentApp } from '../../context/permissions.ts';

const columns: Column<FailedReport>[] = [
  timeColumn('time', 'Time', ({ at }) => at),
  { id: 'log', label: 'Log', width: 140, cell: ({ type }) => type },
  {
    id: 'version',
    label: 'Version',
    width: 140,
    cell: ({ version, build }) => (version ? `${version} (${build})` : '—'),
  },
  { id: 'reason', label: 'Reason', isWrapped: true, cell: ({ reason }) => reason },
];

/** Reports that could not be processed; renders nothing if there are none. */
export function FailedReports() {
  const { appRef, can } = useCurrentApp();
  const query = useFailedReports(appRef);
  const reprocess = useReprocess(appRef, { failed: true });
  if (!query.data || query.data.length === 0) return null;
  return (
    <Section
      title="Failed reports"
      description="Reports the server couldn't process. Retry them after you upgrade the server."
      actions={
        can(crashReports_reprocess) && (
          <Button variant="default" loading={reprocess.isPending} onClick={() => reprocess.mutate(undefined)}>
            {reprocess.isSuccess ? 'Processing…' : 'Retry reports'}
          </Button>
        )
      }
    >
      {reprocess.error && <Failure error={reprocess.error} />}
      <DataTable
        id="crashes-failed-reports"
        label="Failed reports"
        name="failed"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState icon={<IconChecks size={32} aria-hidden />}>No failed reports</EmptyState>}
      />
    </Section>
  );
}
