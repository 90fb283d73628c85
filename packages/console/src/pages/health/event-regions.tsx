import { Select, Text } from '@mantine/core';
import { eventStatuses, HealthEvent_Update } from '@mooring/contract';
import { IconMapPin } from '@tabler/icons-react';
import { useState } from 'react';
import { type HealthEvent, useUpdateRegion } from '../../api/health.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { Form } from '../../parts/form.tsx';
import { LongTextField } from '../../parts/long-text-field.tsx';
import { Part } from '../../parts/page.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import type { Column } from '../../parts/table.ts';
import type { EventStatus } from './event-words.ts';
import { StatusBadge } from './marks.tsx';

interface RegionState {
  service: string;
  region: string;
  status: EventStatus | undefined;
  lastUpdateTime: string | undefined;
}

const regionsOf = ({ properties }: HealthEvent): RegionState[] =>
  (properties.impact ?? []).flatMap(({ impactedService, impactedRegions = [] }) =>
    impactedRegions.map(({ impactedRegion, status, lastUpdateTime }) => ({
      service: impactedService,
      region: impactedRegion,
      status,
      lastUpdateTime,
    })),
  );

/** How each region of each service stands; operators tell here how it goes on. */
export function EventRegions({ event, canChange }: { event: HealthEvent; canChange: boolean }) {
  const [open, setOpen] = useState<RegionState>();
  const regions = regionsOf(event);
  const change = actionsColumn<RegionState>(100, (row) => (
    <RowButton label={`Update ${row.service}, ${row.region}`} onClick={() => setOpen(row)}>
      Update
    </RowButton>
  ));
  return (
    <Part title="Services and regions">
      <DataTable
        label="Services and regions"
        reading={{ data: regions, error: null, refetch: () => undefined }}
        columns={canChange ? [...columns, change] : columns}
        keyOf={({ service, region }) => `${service}\n${region}`}
        empty={<Empty icon={<IconMapPin size={32} aria-hidden />}>The event names no service or region.</Empty>}
      />
      <Dialog
        opened={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={`Update ${open?.service}, ${open?.region}`}
      >
        {open && <UpdateRegion event={event} state={open} onClose={() => setOpen(undefined)} />}
      </Dialog>
    </Part>
  );
}

const columns: Column<RegionState>[] = [
  { label: 'Service', text: ({ service }) => service, cell: ({ service }) => service },
  { label: 'Region', text: ({ region }) => region, cell: ({ region }) => region },
  { label: 'Status', width: 140, text: ({ status }) => status, cell: ({ status }) => <StatusBadge status={status} /> },
  timeColumn('Last update', ({ lastUpdateTime }) => lastUpdateTime),
];

interface UpdateRegionProps {
  event: HealthEvent;
  state: RegionState;
  onClose: () => void;
}

function UpdateRegion({ event, state: { service, region, status }, onClose }: UpdateRegionProps) {
  const update = useUpdateRegion(event.name);
  const [next, setNext] = useState<EventStatus>(status ?? 'Active');
  return (
    <Form
      action="Publish the update"
      sending={update}
      onCancel={onClose}
      onSend={(fields) =>
        update.mutate({ service, region, summary: fields.text('summary') ?? '', status: next }, { onSuccess: onClose })
      }
    >
      <Text size="sm">Everybody who can read the event reads this too.</Text>
      <LongTextField
        name="summary"
        label="What is new"
        rule={fieldsOf(HealthEvent_Update)('summary')}
        minRows={3}
        maxRows={12}
        data-autofocus
      />
      <Select
        label="Status of the region"
        data={[...eventStatuses]}
        value={next}
        onChange={(chosen) => chosen && setNext(chosen as EventStatus)}
        allowDeselect={false}
      />
    </Form>
  );
}
