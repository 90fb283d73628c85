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
} from '../../api/symbols.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page, Part } from '../../parts/page.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { sizeInWords } from '../../parts/size-words.ts';
import type { Column } from '../../parts/table.ts';
import { UploadButton } from './upload-dialog.tsx';

export default function SymbolsPage() {
  const { app, may } = useAppHere();
  const command = `mooring symbols upload . --app ${app.owner.name}/${app.name}`;
  return (
    <Page
      title="Symbols"
      lead="Symbols turn addresses in crashes into functions and lines of code."
      actions={may(symbolUploads_create) && <UploadButton />}
    >
      <Text size="sm" component="div">
        In the folder of a build, this finds dSYMs, mappings, .so files and source maps, and uploads what is not here
        yet; for mappings and source maps add <Code>--version</Code> and <Code>--build</Code>.
        <Copyable value={command} label="the command" />
      </Text>
      <Part title="Missing symbols" lead="Reports wait for these. They are processed again when the symbols come.">
        <Missing />
      </Part>
      <Part title="Uploaded symbols">
        <Here />
      </Part>
      <Part title="Upload history">
        <Uploads />
      </Part>
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

const versionOf = ({ version, build }: { version?: string | undefined; build?: string | undefined }): string =>
  version ? `${version} (${build})` : '';

function Missing() {
  const { appRef, may } = useAppHere();
  const reading = useMissingSymbols(appRef);
  const ignoring = useIgnoring(appRef);
  const columns: Column<MissingSymbols>[] = [
    { label: 'Name', text: ({ name }) => name, cell: ({ name }) => name },
    { label: 'Type', text: ({ type }) => type ?? '', cell: ({ type }) => (type ? typeNames[type] : ''), width: 130 },
    { label: 'Version', text: versionOf, cell: versionOf, width: 130 },
    {
      label: 'Reports',
      onPhone: 'label',
      text: ({ reports }) => String(reports),
      cell: ({ reports }) => reports.toLocaleString(),
      width: 100,
    },
    { label: 'Id', text: ({ id }) => id, cell: ({ id }) => <Code>{id}</Code>, isSecondary: true },
    actionsColumn(
      130,
      ({ id, name, status }) =>
        may(symbols_ignore) && (
          <RowButton
            label={`${status === 'ignored' ? 'Want again' : 'Ignore'}: symbols of ${name}`}
            onClick={() => ignoring.mutate({ id, isIgnored: status !== 'ignored' })}
          >
            {status === 'ignored' ? 'Want again' : 'Ignore'}
          </RowButton>
        ),
    ),
  ];
  return (
    <>
      {ignoring.error && <Failure error={ignoring.error} title="It could not be changed" />}
      <DataTable
        outlineRows={3}
        label="Missing symbols"
        name="missing"
        reading={reading}
        columns={columns}
        keyOf={({ id, version, build }) => `${id} ${version} ${build}`}
        empty={<Empty icon={<IconChecks size={32} aria-hidden />}>No report waits for symbols.</Empty>}
      />
    </>
  );
}

function Here() {
  const { appRef } = useAppHere();
  const reading = useSymbols(appRef);
  const download = useDownload(appRef);
  const columns: Column<Symbols>[] = [
    { label: 'Name', text: ({ name = '' }) => name, cell: ({ name }) => name },
    { label: 'Type', text: ({ type }) => typeNames[type], cell: ({ type }) => typeNames[type], width: 130 },
    { label: 'Architecture', text: ({ platform }) => platform, cell: ({ platform }) => platform, width: 120 },
    { label: 'Version', text: versionOf, cell: versionOf, width: 120 },
    {
      label: 'Size',
      text: ({ file_size = 0 }) => String(file_size),
      cell: ({ file_size = 0 }) => sizeInWords(file_size),
      width: 100,
    },
    {
      label: 'Id',
      text: ({ symbol_id }) => symbol_id,
      cell: ({ symbol_id }) => <Code>{symbol_id}</Code>,
      isSecondary: true,
    },
    timeColumn('Came', ({ timestamp }) => timestamp),
    actionsColumn(120, ({ symbol_id, name }) => (
      <RowButton label={`Download ${name ?? symbol_id}`} onClick={() => download.mutate(symbol_id)}>
        Download
      </RowButton>
    )),
  ];
  return (
    <>
      {download.error && <Failure error={download.error} title="It could not be downloaded" />}
      <DataTable
        outlineRows={3}
        label="Symbols"
        name="here"
        search="Name, version or id"
        reading={reading}
        columns={columns}
        keyOf={({ symbol_id }) => symbol_id}
        empty={
          <Empty icon={<IconFileCode size={32} aria-hidden />}>
            No symbols yet. Upload them with the command above.
          </Empty>
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
const statusWords: Record<SymbolUpload['status'], string> = {
  created: 'not sent yet',
  committed: 'waiting',
  processing: 'being read',
  indexed: 'read',
  aborted: 'aborted',
  failed: 'failed',
};

const uploadColumns: Column<SymbolUpload>[] = [
  { label: 'File', text: ({ file_name = '' }) => file_name, cell: ({ file_name }) => file_name },
  {
    label: 'State',
    text: ({ status }) => statusWords[status],
    cell: ({ status }) => <Badge color={statusColors[status]}>{statusWords[status]}</Badge>,
    width: 130,
  },
  {
    label: 'Found in it',
    text: ({ symbols_uploaded = [] }) => String(symbols_uploaded.length),
    cell: ({ symbols_uploaded = [], note }) =>
      note ?? symbols_uploaded.map(({ name, platform }) => [name, platform].filter(Boolean).join(' ')).join(', '),
    isWrapped: true,
  },
  { label: 'By', text: ({ user }) => user?.display_name ?? '', cell: ({ user }) => user?.display_name, width: 150 },
  timeColumn('Came', ({ timestamp }) => timestamp),
];

function Uploads() {
  const { appRef } = useAppHere();
  return (
    <DataTable
      outlineRows={3}
      label="Uploads"
      name="uploads"
      reading={useSymbolUploads(appRef)}
      columns={uploadColumns}
      keyOf={({ symbol_upload_id }) => symbol_upload_id}
      empty={<Empty icon={<IconFileCode size={32} aria-hidden />}>No uploads yet.</Empty>}
    />
  );
}
