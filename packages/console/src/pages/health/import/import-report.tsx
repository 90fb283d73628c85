import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { ImportReport } from '../../../api/health/health.ts';
import { Section } from '../../../components/layout/page.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { download } from '../../../components/tables/download.ts';
import type { Column } from '../../../components/tables/table.ts';
import { copyText } from '../../../components/text/copyable.tsx';
import { DescriptionList } from '../../../components/text/description-list.tsx';

type Refusal = ImportReport['refused'][number];

/** Result of an import. */
export function ImportReportView({ report, name }: { report: ImportReport; name: string }) {
  const { read, imported, replaced, unchanged, refusedCount, refused, sha256 } = report;
  const counts: [string, number][] = [
    ['Events in the file', read],
    ['New', imported],
    ['Updated', replaced],
    ['Unchanged', unchanged],
    ['Rejected', refusedCount],
  ];
  return (
    <Section title="Report" actions={<TakeAway report={report} name={name} />}>
      {refusedCount === 0 && (
        <Alert color="harbor" icon={<IconCheck aria-hidden />} role="status">
          All events of the file were imported.
        </Alert>
      )}
      <DescriptionList
        items={[
          ...counts.map(([label, count]): [string, string] => [label, count.toLocaleString()]),
          ['SHA-256 of the file', <Code key="sum">{sha256.slice(0, 16)}…</Code>],
        ]}
      />
      {refused.length > 0 && (
        <>
          <Text size="sm">
            These events were rejected; all others were imported. Fix them in the file and import it again.
            {refusedCount > refused.length && ` The table shows the first ${refused.length.toLocaleString()}.`}
          </Text>
          <DataTable
            id="import-report"
            label="Rejected events"
            query={{ data: refused, error: null, refetch: () => undefined }}
            columns={columns}
            rowKey={({ index }) => String(index)}
            search="Search rejected events"
            empty={null}
          />
        </>
      )}
    </Section>
  );
}

const columns: Column<Refusal>[] = [
  {
    id: 'event',
    label: 'Event',
    width: 200,
    text: ({ trackingId, index }) => trackingId ?? `No. ${index + 1}`,
    cell: ({ trackingId, index }) => trackingId ?? `No. ${(index + 1).toLocaleString()}`,
  },
  {
    id: 'position_in_file',
    label: 'Position in file',
    width: 160,
    text: ({ index }) => index + 1,
    isNumber: true,
    cell: ({ index }) => (index + 1).toLocaleString(),
    mobileDisplay: 'label',
  },
  { id: 'reason', label: 'Reason', isWrapped: true, text: ({ message }) => message, cell: ({ message }) => message },
];

/** The full report from the API, to fix rejected events. */
function TakeAway({ report, name }: { report: ImportReport; name: string }) {
  const [isCopied, setCopied] = useState(false);
  const text = JSON.stringify(report, null, 2);
  const save = () => download(`${name.replace(/\.\w+$/, '')}.report.json`, 'application/json', text);
  return (
    <Group gap="sm">
      <Button
        variant="default"
        leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        onClick={async () => setCopied(await copyText(text))}
      >
        {isCopied ? 'Copied' : 'Copy report'}
      </Button>
      <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
        Download report
      </Button>
    </Group>
  );
}
