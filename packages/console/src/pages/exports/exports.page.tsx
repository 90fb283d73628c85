import { Badge, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ExportConfigurations_Create } from '@mooring/contract';
import { IconDatabaseExport, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type Export,
  useDeleteExport,
  useDisableExport,
  useEnableExport,
  useExports,
  useTestExport,
} from '../../api/exports.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import type { Column } from '../../parts/table.ts';
import { TestResult } from '../../parts/test-result.tsx';
import { Time } from '../../parts/time.tsx';
import { ChangeExportForm, NewExportForm } from './export-form.tsx';

const kindWords: Record<Export['export_type'], string> = {
  BlobStorage: 'Azure Blob Storage',
  AppInsights: 'Application Insights',
  S3: 'S3 bucket',
  File: 'Folder of this server',
  Http: 'HTTP endpoint',
  Postgres: 'PostgreSQL table',
};

const colours: Record<Export['state'], string> = {
  Pending: 'yellow',
  Enabled: 'harbor',
  Disabled: 'gray',
  Invalid: 'red',
  Deleted: 'gray',
};

const placeOf = ({ export_configuration: to }: Export): string =>
  [to?.host, to?.bucket, to?.prefix, to?.folder].filter(Boolean).join(' / ');
const nameOf = (one: Export): string => `the export to ${placeOf(one) || kindWords[one.export_type]}`;
const troubleOf = ({ state_info, failing_since, last_error }: Export): string | undefined =>
  state_info ?? (failing_since ? last_error : undefined);

export default function ExportsPage() {
  const { appRef, may } = useAppHere();
  const reading = useExports(appRef);
  const enabling = useEnableExport(appRef);
  const testing = useTestExport(appRef);
  const [isCreating, creating] = useDisclosure();
  const [changed, setChanged] = useState<Export>();
  const close = () => setChanged(undefined);
  const canChange = may(ExportConfigurations_Create);
  const disabling = useQuestion<Export>({
    title: (one) => `Disable ${nameOf(one)}?`,
    action: 'Disable',
    loss: () => 'What comes from now on is not written there. What was written stays.',
    doing: useDisableExport(appRef),
  });
  const deletion = useQuestion<Export>({
    title: (one) => `Delete ${nameOf(one)}?`,
    action: 'Delete',
    loss: () => 'Nothing more is written there, and its key is forgotten. What was written stays.',
    doing: useDeleteExport(appRef),
  });
  const columns: Column<Export>[] = [
    {
      label: 'To',
      text: (one) => `${kindWords[one.export_type]} ${placeOf(one)}`,
      cell: (one) => (
        <Stack gap={0}>
          {kindWords[one.export_type]}
          <Text size="xs" c="dimmed">
            {placeOf(one)}
          </Text>
        </Stack>
      ),
    },
    {
      label: 'State',
      width: '34%',
      isWrapped: true,
      text: (one) => `${one.state} ${troubleOf(one) ?? ''}`,
      cell: (one) => (
        <Stack gap={4} align="flex-start">
          <Badge color={colours[one.state]}>{one.state}</Badge>
          {troubleOf(one) && <Text size="xs">{troubleOf(one)}</Text>}
        </Stack>
      ),
    },
    {
      label: 'Waiting',
      width: 160,
      text: ({ waiting_batches }) => waiting_batches,
      cell: ({ waiting_batches, waiting_since }) =>
        waiting_since === undefined ? (
          'nothing'
        ) : (
          <>
            {waiting_batches.toLocaleString()} since <Time at={waiting_since} />
          </>
        ),
    },
    timeColumn('Last run', ({ last_run_time }) => last_run_time),
    actionsColumn<Export>(275, (one) =>
      canChange ? (
        <>
          <RowButton
            label={`Test ${nameOf(one)}`}
            loading={testing.isPending && testing.variables.id === one.id}
            onClick={() => testing.mutate(one)}
          >
            Test
          </RowButton>
          <RowButton label={`Change ${nameOf(one)}`} onClick={() => setChanged(one)}>
            Change
          </RowButton>
          {one.state === 'Disabled' || one.state === 'Invalid' ? (
            <RowButton label={`Enable ${nameOf(one)}`} onClick={() => enabling.mutate({ one, backfill: true })}>
              Enable
            </RowButton>
          ) : (
            <RowButton label={`Disable ${nameOf(one)}`} onClick={() => disabling.ask(one)}>
              Disable
            </RowButton>
          )}
          <RowButton label={`Delete ${nameOf(one)}`} onClick={() => deletion.ask(one)}>
            Delete
          </RowButton>
        </>
      ) : null,
    ),
  ];
  return (
    <Page
      title="Export"
      lead="What devices send, written to a store of yours: continuously, and once in each file."
      actions={
        canChange && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New export
          </Button>
        )
      }
    >
      {testing.error && <Failure error={testing.error} title="It could not be tested" />}
      {testing.data && (
        <TestResult
          isGood={testing.data.succeeded}
          title={`Test of ${nameOf(testing.data.one)}`}
          onClose={testing.reset}
        >
          {testing.data.succeeded
            ? `Something small was written there, in ${testing.data.milliseconds.toLocaleString()} ms.`
            : testing.data.reason}
        </TestResult>
      )}
      {enabling.error && <Failure error={enabling.error} title="It could not be enabled" />}
      <DataTable
        label="Exports"
        reading={reading}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={<IconDatabaseExport size={32} aria-hidden />}
            action={canChange && <Button onClick={creating.open}>Create an export</Button>}
          >
            Nothing of this app is exported.
          </Empty>
        }
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New export" size="lg">
        <NewExportForm onClose={creating.close} />
      </Dialog>
      <Dialog opened={changed !== undefined} onClose={close} title="Change the export" size="lg">
        {changed && <ChangeExportForm one={changed} onClose={close} />}
      </Dialog>
      {disabling.dialog}
      {deletion.dialog}
    </Page>
  );
}
