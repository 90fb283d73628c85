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
} from '../../api/telemetry/exports.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { TestResult } from '../../components/feedback/test-result.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { ChangeExportForm, NewExportForm } from './export-form.tsx';

const kindLabels: Record<Export['export_type'], string> = {
  BlobStorage: 'Azure Blob Storage',
  AppInsights: 'Application Insights',
  S3: 'S3 bucket',
  File: 'Folder on this server',
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

const getDestination = ({ export_configuration: to }: Export): string =>
  [to?.host, to?.bucket, to?.prefix, to?.folder].filter(Boolean).join(' / ');
const formatName = (one: Export): string => `the export to ${getDestination(one) || kindLabels[one.export_type]}`;
const getLastError = ({ state_info, failing_since, last_error }: Export): string | undefined =>
  state_info ?? (failing_since ? last_error : undefined);

export default function ExportsPage() {
  const { appRef, can } = useCurrentApp();
  const query = useExports(appRef);
  const enabling = useEnableExport(appRef);
  const testing = useTestExport(appRef);
  const [isCreating, creating] = useDisclosure();
  const [changed, setChanged] = useState<Export>();
  const close = () => setChanged(undefined);
  const canChange = can(ExportConfigurations_Create);
  const disabling = useConfirm<Export>({
    title: (one) => `Disable ${formatName(one)}?`,
    action: 'Disable export',
    consequence: () => 'New data is no longer exported. Exported data stays.',
    openDialog: useDisableExport(appRef),
  });
  const deletion = useConfirm<Export>({
    title: (one) => `Delete ${formatName(one)}?`,
    action: 'Delete export',
    consequence: () => 'Stops the export and deletes its credentials. Exported data stays.',
    openDialog: useDeleteExport(appRef),
  });
  const columns: Column<Export>[] = [
    {
      id: 'destination',
      label: 'Destination',
      text: (one) => `${kindLabels[one.export_type]} ${getDestination(one)}`,
      cell: (one) => (
        <Stack gap={0}>
          {kindLabels[one.export_type]}
          <Text size="xs" c="dimmed">
            {getDestination(one)}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'status',
      label: 'Status',
      width: '34%',
      isWrapped: true,
      text: (one) => `${one.state} ${getLastError(one) ?? ''}`,
      cell: (one) => (
        <Stack gap={4} align="flex-start">
          <Badge color={colours[one.state]}>{one.state}</Badge>
          {getLastError(one) && <Text size="xs">{getLastError(one)}</Text>}
        </Stack>
      ),
    },
    {
      id: 'queued',
      label: 'Queued',
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
    timeColumn('last_run', 'Last run', ({ last_run_time }) => last_run_time),
    actionsColumn<Export>(275, (one) =>
      canChange ? (
        <>
          <RowButton
            label={`Test ${formatName(one)}`}
            loading={testing.isPending && testing.variables.id === one.id}
            onClick={() => testing.mutate(one)}
          >
            Test
          </RowButton>
          <RowButton label={`Edit ${formatName(one)}`} onClick={() => setChanged(one)}>
            Edit
          </RowButton>
          {one.state === 'Disabled' || one.state === 'Invalid' ? (
            <RowButton label={`Enable ${formatName(one)}`} onClick={() => enabling.mutate({ one, backfill: true })}>
              Enable
            </RowButton>
          ) : (
            <RowButton label={`Disable ${formatName(one)}`} onClick={() => disabling.open(one)}>
              Disable
            </RowButton>
          )}
          <RowButton label={`Delete ${formatName(one)}`} onClick={() => deletion.open(one)}>
            Delete
          </RowButton>
        </>
      ) : null,
    ),
  ];
  return (
    <Page
      title="Export"
      description="Continuously write data from devices to your own storage."
      actions={
        canChange && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New export
          </Button>
        )
      }
    >
      {testing.error && <Failure error={testing.error} title="Couldn't test the export" />}
      {testing.data && (
        <TestResult
          isGood={testing.data.succeeded}
          title={`Test of ${formatName(testing.data.one)}`}
          onClose={testing.reset}
        >
          {testing.data.succeeded
            ? `Wrote a small test object in ${testing.data.milliseconds.toLocaleString()} ms.`
            : testing.data.reason}
        </TestResult>
      )}
      {enabling.error && <Failure error={enabling.error} title="Couldn't enable the export" />}
      <DataTable
        id="exports"
        label="Exports"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={<IconDatabaseExport size={32} aria-hidden />}
            action={canChange && <Button onClick={creating.open}>Create export</Button>}
          >
            No exports yet
          </EmptyState>
        }
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New export" size="lg">
        <NewExportForm onClose={creating.close} />
      </Dialog>
      <Dialog opened={changed !== undefined} onClose={close} title="Edit export" size="lg">
        {changed && <ChangeExportForm one={changed} onClose={close} />}
      </Dialog>
      {disabling.dialog}
      {deletion.dialog}
    </Page>
  );
}
