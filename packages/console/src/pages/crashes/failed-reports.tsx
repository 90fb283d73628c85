import { Button } from '@mantine/core';
import { crashReports_reprocess } from '@mooring/contract';
import { IconChecks } from '@tabler/icons-react';
import { type FailedReport, useFailedReports, useReprocess } from '../../api/crashes.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';

const columns: Column<FailedReport>[] = [
  timeColumn('Time', ({ at }) => at),
  { label: 'Log', width: 140, cell: ({ type }) => type },
  { label: 'Version', width: 140, cell: ({ version, build }) => (version ? `${version} (${build})` : '—') },
  { label: 'Reason', isWrapped: true, cell: ({ reason }) => reason },
];

/** Reports that nothing could be made of, with the reason; not there while there are none. */
export function FailedReports() {
  const { appRef, may } = useAppHere();
  const reading = useFailedReports(appRef);
  const reprocess = useReprocess(appRef, { failed: true });
  if (!reading.data || reading.data.length === 0) return null;
  return (
    <Part
      title="Could not be processed"
      lead="They are kept as they came, and can be processed again after an upgrade."
      actions={
        may(crashReports_reprocess) && (
          <Button variant="default" loading={reprocess.isPending} onClick={() => reprocess.mutate(undefined)}>
            {reprocess.isSuccess ? 'Being processed again' : 'Process again'}
          </Button>
        )
      }
    >
      {reprocess.error && <Failure error={reprocess.error} />}
      <DataTable
        label="Reports that could not be processed"
        name="failed"
        reading={reading}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty icon={<IconChecks size={32} aria-hidden />}>All could be processed.</Empty>}
      />
    </Part>
  );
}
