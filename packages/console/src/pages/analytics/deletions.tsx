import { Progress, Stack, Text } from '@mantine/core';
import { type Deletion, useDeletions } from '../../api/telemetry/analytics.ts';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { mapQuery } from './query-data.ts';

const kinds = { event: 'Event', install: 'Install', user: 'User' } as const;

const getProgress = ({ file_count, files_left }: Deletion): number =>
  files_left === 0 ? 100 : Math.max(0, Math.round((1 - files_left / Math.max(file_count, files_left)) * 100));

/** Files that still contain hidden data. */
function formatState({ file_count, files_left, former_files, has_batches }: Deletion): string {
  if (files_left > 0)
    return `${files_left} of ${formatCount(Math.max(file_count, files_left), 'file')} left to rewrite`;
  if (former_files > 0) return 'Files rewritten. The old files will be deleted soon.';
  return has_batches ? 'Removed from all files. Received requests that still contain it expire within a day.' : 'Done';
}

/** Deletions in progress; renders nothing if there are none. */
export function Deletions() {
  const { appRef } = useCurrentApp();
  const deletions = useDeletions(appRef);
  if (deletions.data?.total === 0 || deletions.data === undefined) return null;
  return (
    <DataTable
      id="analytics-deletions"
      label="Deletions"
      name="deletions"
      query={mapQuery(deletions, ({ values }) => values)}
      rowKey={({ kind, value }) => `${kind} ${value}`}
      empty={null}
      columns={[
        {
          id: 'deleted',
          label: 'Deleted',
          text: ({ kind, value }) => `${kinds[kind]} ${value}`,
          cell: ({ kind, value }) => `${kinds[kind]} ${value}`,
        },
        {
          id: 'status',
          label: 'Status',
          isWrapped: true,
          text: formatState,
          cell: (deletion) => (
            <Stack gap={4}>
              <Text size="sm">{formatState(deletion)}</Text>
              {deletion.files_left > 0 && (
                <Progress value={getProgress(deletion)} aria-label={`Deletion of ${deletion.value}`} />
              )}
            </Stack>
          ),
        },
        timeColumn<Deletion>('requested', 'Requested', ({ requested_at }) => requested_at ?? ''),
      ]}
    />
  );
}
