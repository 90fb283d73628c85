import { Badge, Code, Text } from '@mantine/core';
import { symbols_ignore, symbolUploads_create } from '@mooring/contract';
import { IconChecks, IconFileCode } from '@tabler/icons-react';
import {
  type MissingSymbols,
  type Symbols,
  type SymbolUpload,
  useDownload,
  useIgnoring,
  useMissingSymbols,
  useSymbols,
  useSymbolUploads,
} from '../../api/telemetry/symbols.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { formatSize } from '../../components/text/format-size.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { UploadButton } from './upload-dialog.tsx';

export default function SymbolsPage() {
  const { app, can } = useCurrentApp();
  const command = `mooring symbols upload ${app.owner.name}/${app.name} .`;
  return (
    <Page
      title="Symbols"
      description="Symbols turn addresses in crashes into functions and lines of code."
      actions={can(symbolUploads_create) && <UploadButton />}
    >
      <Text size="sm" component="div">
        Run this in your build folder. It finds dSYMs, mappings, .so files and source maps, and uploads missing ones.
        For mappings and source maps, add <Code>--version</Code> and <Code>--build</Code>.
        <Copyable value={command} label="command" />
      </Text>
      <Section
        title="Missing symbols"
        description="Reports need these symbols. After you upload them, the reports are processed again."
      >
        <Missing />
      </Section>
      <Section title="Uploaded symbols">
        <UploadedSymbols />
      </Section>
      <Section title="Upload history">
        <Uploads />
      </Section>
    </Page>
  );
}

const typeNames: Record<NonNullable<Symbols['type']>, string> = {
  Apple: 'dSYM',
  AndroidProguard: 'Mapping',
  Breakpad: 'Breakpad, .so',
  JavaScript: 'Source map',
  UWP: 'PDB',
};

const formatVersion = ({ version, build }: { version?: string | undefined; build?: string | undefined }): string =>
  version ? `${version} (${build})` : '';

function Missing() {
  const { appRef, can } = useCurrentApp();
  const query = useMissingSymbols(appRef);
  const ignoring = useIgnoring(appRef);
  const columns: Column<MissingSymbols>[] = [
    { id: 'name', label: 'Name', text: ({ name }) => name, cell: ({ name }) => name },
    {
      id: 'type',
      label: 'Type',
      text: ({ type }) => type ?? '',
      cell: ({ type }) => (type ? typeNames[type] : ''),
      width: 130,
    },
    { id: 'version', label: 'Version', text: formatVersion, cell: formatVersion, width: 130 },
    {
      id: 'reports',
      label: 'Reports',
      isNumber: true,
      mobileDisplay: 'label',
      text: ({ reports }) => String(reports),
      cell: ({ reports }) => reports.toLocaleString(),
      width: 100,
    },
    { id: 'id', label: 'ID', text: ({ id }) => id, cell: ({ id }) => <Code>{id}</Code>, isSecondary: true },
    actionsColumn(
      130,
      ({ id, name, status }) =>
        can(symbols_ignore) && (
          <RowButton
            label={`${status === 'ignored' ? 'Stop ignoring' : 'Ignore'}: symbols of ${name}`}
            onClick={() => ignoring.mutate({ id, isIgnored: status !== 'ignored' })}
          >
            {status === 'ignored' ? 'Stop ignoring' : 'Ignore'}
          </RowButton>
        ),
    ),
  ];
  return (
    <>
      {ignoring.error && <Failure error={ignoring.error} title="Couldn't change the symbols" />}
      <DataTable
        outlineRows={3}
        id="symbols-missing-symbols"
        label="Missing symbols"
        name="missing"
        query={query}
        columns={columns}
        rowKey={({ id, version, build }) => `${id} ${version} ${build}`}
        empty={<EmptyState icon={<IconChecks size={32} aria-hidden />}>No missing symbols</EmptyState>}
      />
    </>
  );
}

function UploadedSymbols() {
  const { appRef } = useCurrentApp();
  const query = useSymbols(appRef);
  const download = useDownload(appRef);
  const columns: Column<Symbols>[] = [
    { id: 'name', label: 'Name', text: ({ name = '' }) => name, cell: ({ name }) => name },
    { id: 'type', label: 'Type', text: ({ type }) => typeNames[type], cell: ({ type }) => typeNames[type], width: 130 },
    {
      id: 'architecture',
      label: 'Architecture',
      text: ({ platform }) => platform,
      cell: ({ platform }) => platform,
      width: 120,
    },
    { id: 'version', label: 'Version', text: formatVersion, cell: formatVersion, width: 120 },
    {
      id: 'size',
      label: 'Size',
      isNumber: true,
      text: ({ file_size = 0 }) => String(file_size),
      cell: ({ file_size = 0 }) => formatSize(file_size),
      width: 100,
    },
    {
      id: 'id',
      label: 'ID',
      text: ({ symbol_id }) => symbol_id,
      cell: ({ symbol_id }) => <Code>{symbol_id}</Code>,
      isSecondary: true,
    },
    timeColumn('uploaded', 'Uploaded', ({ timestamp }) => timestamp),
    actionsColumn(120, ({ symbol_id, name }) => (
      <RowButton label={`Download ${name ?? symbol_id}`} onClick={() => download.mutate(symbol_id)}>
        Download
      </RowButton>
    )),
  ];
  return (
    <>
      {download.error && <Failure error={download.error} title="Couldn't download the symbols" />}
      <DataTable
        outlineRows={3}
        id="symbols-symbols"
        label="Symbols"
        name="here"
        search="Search name, version or ID"
        query={query}
        columns={columns}
        rowKey={({ symbol_id }) => symbol_id}
        empty={
          <EmptyState icon={<IconFileCode size={32} aria-hidden />}>
            No symbols yet. Upload them with the command above.
          </EmptyState>
        }
      />
    </>
  );
}

const statusColors: Record<SymbolUpload['status'], string> = {
  created: 'gray',
  committed: 'blue',
  processing: 'blue',
  indexed: 'green',
  aborted: 'gray',
  failed: 'red',
};
const statusLabels: Record<SymbolUpload['status'], string> = {
  created: 'Not uploaded yet',
  committed: 'Queued',
  processing: 'Processing',
  indexed: 'Processed',
  aborted: 'Canceled',
  failed: 'Failed',
};

const uploadColumns: Column<SymbolUpload>[] = [
  { id: 'file', label: 'File', text: ({ file_name = '' }) => file_name, cell: ({ file_name }) => file_name },
  {
    id: 'status',
    label: 'Status',
    text: ({ status }) => statusLabels[status],
    cell: ({ status }) => <Badge color={statusColors[status]}>{statusLabels[status]}</Badge>,
    width: 130,
  },
  {
    id: 'symbols_found',
    label: 'Symbols found',
    text: ({ symbols_uploaded = [] }) => String(symbols_uploaded.length),
    cell: ({ symbols_uploaded = [], note }) =>
      note ?? symbols_uploaded.map(({ name, platform }) => [name, platform].filter(Boolean).join(' ')).join(', '),
    isWrapped: true,
  },
  {
    id: 'uploaded_by',
    label: 'Uploaded by',
    text: ({ user }) => user?.display_name ?? '',
    cell: ({ user }) => user?.display_name,
    width: 150,
  },
  timeColumn('uploaded', 'Uploaded', ({ timestamp }) => timestamp),
];

function Uploads() {
  const { appRef } = useCurrentApp();
  return (
    <DataTable
      outlineRows={3}
      id="symbols-uploads"
      label="Uploads"
      name="uploads"
      query={useSymbolUploads(appRef)}
      columns={uploadColumns}
      rowKey={({ symbol_upload_id }) => symbol_upload_id}
      empty={<EmptyState icon={<IconFileCode size={32} aria-hidden />}>No uploads yet</EmptyState>}
    />
  );
}
