import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { ImportReport } from '../../api/health.ts';
import { copyText } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DescriptionList } from '../../parts/description-list.tsx';
import { download } from '../../parts/download.ts';
import { Part } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';

type Refusal = ImportReport['refused'][number];

/** What became of the events of a file. */
export function ImportReportView({ report, name }: { report: ImportReport; name: string }) {
  const { read, imported, replaced, unchanged, refusedCount, refused, sha256 } = report;
  const counts: [string, number][] = [
    ['Events in the file', read],
    ['New', imported],
    ['Changed', replaced],
    ['As they were', unchanged],
    ['Refused', refusedCount],
  ];
  return (
    <Part title="Report" actions={<TakeAway report={report} name={name} />}>
      {refusedCount === 0 && (
        <Alert color="harbor" icon={<IconCheck aria-hidden />} role="status">
          Every event of the file is here.
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
            These were refused, and keep no other out. Mend them in the file and import it again.
            {refusedCount > refused.length && ` The first ${refused.length.toLocaleString()} are shown.`}
          </Text>
          <DataTable
            label="Refused events"
            reading={{ data: refused, error: null, refetch: () => undefined }}
            columns={columns}
            keyOf={({ index }) => String(index)}
            search="Search refused events"
            empty={null}
          />
        </>
      )}
    </Part>
  );
}

const columns: Column<Refusal>[] = [
  {
    label: 'Event',
    width: 200,
    text: ({ trackingId, index }) => trackingId ?? `No. ${index + 1}`,
    cell: ({ trackingId, index }) => trackingId ?? `No. ${(index + 1).toLocaleString()}`,
  },
  {
    label: 'Number in the file',
    width: 160,
    text: ({ index }) => index + 1,
    cell: ({ index }) => (index + 1).toLocaleString(),
    onPhone: 'label',
  },
  { label: 'What is wrong', isWrapped: true, text: ({ message }) => message, cell: ({ message }) => message },
];

/** The whole report as the API gives it, for those who mend the file. */
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
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
      <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
        Download
      </Button>
    </Group>
  );
}
