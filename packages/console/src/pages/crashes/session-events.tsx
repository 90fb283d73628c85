import { Text } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { type SessionLog, useSessionLogs } from '../../api/crashes.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.ts';

const typeWords: Record<SessionLog['type'], string> = {
  event: 'Event',
  page: 'Page',
  start_session: 'Session started',
  error: 'It broke',
  push_installation: 'Push token',
  start_service: 'Services started',
  custom_properties: 'Told of the device',
  distribution_start_session: 'Session of a tester',
};

const propertiesText = ({ properties = {} }: SessionLog): string =>
  Object.entries(properties)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');

const columns: Column<SessionLog>[] = [
  timeColumn('Time', ({ timestamp }) => timestamp),
  {
    label: 'What',
    width: 150,
    cell: ({ type }) => (
      <Text size="sm" fw={type === 'error' ? 600 : 400} c={type === 'error' ? 'red' : undefined}>
        {typeWords[type]}
      </Text>
    ),
  },
  { label: 'Name', onPhone: 'label', cell: ({ event_name = '—' }) => event_name },
  { label: 'Properties', isWrapped: true, isSecondary: true, cell: (log) => propertiesText(log) || '—' },
];

/** What the device told of the session until it broke. */
export function SessionEvents({ errorId }: { errorId: string }) {
  const { appRef } = useAppHere();
  const reading = useSessionLogs(appRef, errorId);
  const rows = reading.data?.logs.map((log, at) => ({ ...log, place: at }));
  return (
    <Part
      title="Before it"
      lead={reading.data?.exceeded_max_limit ? 'The last 100 things of its session.' : 'What happened in its session.'}
    >
      <DataTable
        label="Before it"
        name="before"
        reading={{ ...reading, data: rows }}
        columns={columns}
        keyOf={({ place }) => String(place)}
        empty={<Empty icon={<IconRoute size={32} aria-hidden />}>Nothing is known of its session.</Empty>}
      />
    </Part>
  );
}
