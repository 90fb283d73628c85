import { Text } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { type SessionLog, useSessionLogs } from '../../api/telemetry/crashes.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Section } from '../../components/layout/page.tsx';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useCurrentApp } from '../../context/permissions.ts';

const typeLabels: Record<SessionLog['type'], string> = {
  event: 'Event',
  page: 'Page',
  start_session: 'Session start',
  error: 'Crash or error',
  push_installation: 'Push registration',
  start_service: 'Service start',
  custom_properties: 'Custom properties',
  distribution_start_session: 'Tester session',
};

const propertiesText = ({ properties = {} }: SessionLog): string =>
  Object.entries(properties)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');

const columns: Column<SessionLog>[] = [
  timeColumn('time', 'Time', ({ timestamp }) => timestamp),
  {
    id: 'type',
    label: 'Type',
    width: 150,
    cell: ({ type }) => (
      <Text size="sm" fw={type === 'error' ? 600 : 400} c={type === 'error' ? 'red' : undefined}>
        {typeLabels[type]}
      </Text>
    ),
  },
  { id: 'name', label: 'Name', mobileDisplay: 'label', cell: ({ event_name = '—' }) => event_name },
  {
    id: 'properties',
    label: 'Properties',
    isWrapped: true,
    isSecondary: true,
    cell: (log) => propertiesText(log) || '—',
  },
];

/** Breadcrumbs: session logs before the crash. */
export function SessionEvents({ errorId }: { errorId: string }) {
  const { appRef } = useCurrentApp();
  const query = useSessionLogs(appRef, errorId);
  const rows = query.data?.logs.map((log, at) => ({ ...log, place: at }));
  return (
    <Section
      title="Breadcrumbs"
      description={
        query.data?.exceeded_max_limit ? 'Last 100 events of the session.' : 'Events of the session before the crash.'
      }
    >
      <DataTable
        id="crashes-session-events"
        label="Breadcrumbs"
        name="before"
        query={{ ...query, data: rows }}
        columns={columns}
        rowKey={({ place }) => String(place)}
        empty={<EmptyState icon={<IconRoute size={32} aria-hidden />}>No session data</EmptyState>}
      />
    </Section>
  );
}
