import { SegmentedControl } from '@mantine/core';
import { IconGauge } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Period, Usage } from '../../api/administration/usage.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { formatSize } from '../../components/text/format-size.ts';
import { Figures } from '../overview/figures.tsx';

type UsageQuery = Pick<UseQueryResult<Usage>, 'data' | 'error' | 'refetch'>;

interface Props {
  description: string;
  query: UsageQuery;
  period: Period;
  onPeriod: (period: Period) => void;
}

const getPeriod = (usage: Usage | undefined) => usage?.usage?.allServices?.currentUsagePeriod;

/** Usage in total and by app. */
export function UsagePage({ description, query, period, onPeriod }: Props) {
  const all = getPeriod(query.data)?.byAccount;
  const rows = query.data && Object.entries(getPeriod(query.data)?.byApp ?? {});
  return (
    <Page
      title="Usage"
      description={description}
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
          { label: 'Storage now', value: all && formatSize(all.storage_bytes ?? 0) },
          { label: 'Active devices', value: all && (all.devices ?? 0) },
          { label: 'Sessions', value: all && (all.sessions ?? 0) },
          { label: 'Events', value: all && (all.events ?? 0) },
          { label: 'Build minutes', value: all && (all.build_minutes ?? 0) },
          { label: 'Test minutes', value: all && (all.test_minutes ?? 0) },
          { label: 'Received in the last hour', value: all && formatSize(all.ingested_bytes_hour ?? 0) },
          ...(all?.attachments_left_out ? [{ label: 'Attachments not stored', value: all.attachments_left_out }] : []),
        ]}
      />
      <DataTable
        id="usage"
        label="Usage by app"
        query={{ ...query, data: rows }}
        rowKey={([name]) => name}
        columns={[
          { id: 'app', label: 'App', text: ([name]) => name, cell: ([name]) => name },
          {
            id: 'storage_now',
            label: 'Storage now',
            mobileDisplay: 'label',
            text: ([, figures]) => figures.storage_bytes ?? 0,
            isNumber: true,
            cell: ([, figures]) => formatSize(figures.storage_bytes ?? 0),
          },
          {
            id: 'active_devices',
            label: 'Active devices',
            mobileDisplay: 'label',
            text: ([, figures]) => figures.devices ?? 0,
            isNumber: true,
            cell: ([, figures]) => (figures.devices ?? 0).toLocaleString(),
          },
          {
            id: 'sessions',
            label: 'Sessions',
            isNumber: true,
            mobileDisplay: 'label',
            text: ([, figures]) => figures.sessions ?? 0,
            cell: ([, figures]) => (figures.sessions ?? 0).toLocaleString(),
          },
          {
            id: 'events',
            label: 'Events',
            isNumber: true,
            mobileDisplay: 'label',
            text: ([, figures]) => figures.events ?? 0,
            cell: ([, figures]) => (figures.events ?? 0).toLocaleString(),
          },
          {
            id: 'build_minutes',
            label: 'Build minutes',
            mobileDisplay: 'label',
            text: ([, figures]) => figures.build_minutes ?? 0,
            isNumber: true,
            cell: ([, figures]) => (figures.build_minutes ?? 0).toLocaleString(),
          },
          {
            id: 'test_minutes',
            label: 'Test minutes',
            mobileDisplay: 'label',
            text: ([, figures]) => figures.test_minutes ?? 0,
            isNumber: true,
            cell: ([, figures]) => (figures.test_minutes ?? 0).toLocaleString(),
          },
        ]}
        empty={<EmptyState icon={<IconGauge size={32} aria-hidden />}>No apps yet</EmptyState>}
      />
    </Page>
  );
}
