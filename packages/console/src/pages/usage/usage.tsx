import { SegmentedControl } from '@mantine/core';
import { IconGauge } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Period, Usage } from '../../api/usage.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page } from '../../parts/page.tsx';
import { sizeInWords } from '../../parts/size-words.ts';
import { Figures } from '../overview/figures.tsx';

type Reading = Pick<UseQueryResult<Usage>, 'data' | 'error' | 'refetch'>;

interface Props {
  lead: string;
  reading: Reading;
  period: Period;
  onPeriod: (period: Period) => void;
}

const periodOf = (usage: Usage | undefined) => usage?.usage?.allServices?.currentUsagePeriod;

/** What is kept, and what came within a month: in all, and by app. */
export function UsagePage({ lead, reading, period, onPeriod }: Props) {
  const all = periodOf(reading.data)?.byAccount;
  const rows = reading.data && Object.entries(periodOf(reading.data)?.byApp ?? {});
  return (
    <Page
      title="Usage"
      lead={lead}
      actions={
        <SegmentedControl
          aria-label="Month"
          data={[
            { value: 'Current', label: 'This month' },
            { value: 'Previous', label: 'Last month' },
          ]}
          value={period}
          onChange={(value) => onPeriod(value as Period)}
        />
      }
    >
      <Figures
        figures={[
          { label: 'Storage now', value: all && sizeInWords(all.storage_bytes ?? 0) },
          { label: 'Active devices', value: all && (all.devices ?? 0) },
          { label: 'Sessions', value: all && (all.sessions ?? 0) },
          { label: 'Events', value: all && (all.events ?? 0) },
          { label: 'Build minutes', value: all && (all.build_minutes ?? 0) },
          { label: 'Test minutes', value: all && (all.test_minutes ?? 0) },
          { label: 'Received in the last hour', value: all && sizeInWords(all.ingested_bytes_hour ?? 0) },
          ...(all?.attachments_left_out ? [{ label: 'Attachments left out', value: all.attachments_left_out }] : []),
        ]}
      />
      <DataTable
        label="Usage by app"
        reading={{ ...reading, data: rows }}
        keyOf={([name]) => name}
        columns={[
          { label: 'App', text: ([name]) => name, cell: ([name]) => name },
          {
            label: 'Storage now',
            onPhone: 'label',
            text: ([, figures]) => figures.storage_bytes ?? 0,
            cell: ([, figures]) => sizeInWords(figures.storage_bytes ?? 0),
          },
          {
            label: 'Active devices',
            onPhone: 'label',
            text: ([, figures]) => figures.devices ?? 0,
            cell: ([, figures]) => (figures.devices ?? 0).toLocaleString(),
          },
          {
            label: 'Sessions',
            onPhone: 'label',
            text: ([, figures]) => figures.sessions ?? 0,
            cell: ([, figures]) => (figures.sessions ?? 0).toLocaleString(),
          },
          {
            label: 'Events',
            onPhone: 'label',
            text: ([, figures]) => figures.events ?? 0,
            cell: ([, figures]) => (figures.events ?? 0).toLocaleString(),
          },
          {
            label: 'Build minutes',
            onPhone: 'label',
            text: ([, figures]) => figures.build_minutes ?? 0,
            cell: ([, figures]) => (figures.build_minutes ?? 0).toLocaleString(),
          },
          {
            label: 'Test minutes',
            onPhone: 'label',
            text: ([, figures]) => figures.test_minutes ?? 0,
            cell: ([, figures]) => (figures.test_minutes ?? 0).toLocaleString(),
          },
        ]}
        empty={<Empty icon={<IconGauge size={32} aria-hidden />}>There are no apps.</Empty>}
      />
    </Page>
  );
}
