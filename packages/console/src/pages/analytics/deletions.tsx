import { Progress, Stack, Text } from '@mantine/core';
import { type Deletion, useDeletions } from '../../api/analytics.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { useAppHere } from '../../parts/may.ts';
import { of } from './readings.ts';

const kinds = { event: 'Event', install: 'Installation', user: 'User' } as const;

const doneOf = ({ file_count, files_left }: Deletion): number =>
  files_left === 0 ? 100 : Math.max(0, Math.round((1 - files_left / Math.max(file_count, files_left)) * 100));

/** Where it still is, though nobody sees it. */
function stateOf({ file_count, files_left, former_files, has_batches }: Deletion): string {
  if (files_left > 0) return `${files_left} of ${Math.max(file_count, files_left)} files are still to be written anew`;
  if (former_files > 0) return 'Files are written anew; the former ones are deleted soon';
  return has_batches ? 'In no file any more; for a day at most in requests as they came' : 'Done';
}

/** Deletions of telemetry until nothing is left of what they are about; nothing while there are none. */
export function Deletions() {
  const { appRef } = useAppHere();
  const deletions = useDeletions(appRef);
  if (deletions.data?.total === 0 || deletions.data === undefined) return null;
  return (
    <DataTable
      label="Deletions"
      name="deletions"
      reading={of(deletions, ({ values }) => values)}
      keyOf={({ kind, value }) => `${kind} ${value}`}
      empty={null}
      columns={[
        {
          label: 'Deleted',
          text: ({ kind, value }) => `${kinds[kind]} ${value}`,
          cell: ({ kind, value }) => `${kinds[kind]} ${value}`,
        },
        {
          label: 'State',
          isWrapped: true,
          text: stateOf,
          cell: (deletion) => (
            <Stack gap={4}>
              <Text size="sm">{stateOf(deletion)}</Text>
              {deletion.files_left > 0 && (
                <Progress value={doneOf(deletion)} aria-label={`Deletion of ${deletion.value}`} />
              )}
            </Stack>
          ),
        },
        timeColumn<Deletion>('Asked for', ({ requested_at }) => requested_at ?? ''),
      ]}
    />
  );
}
