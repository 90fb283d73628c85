import { Select, Text } from '@mantine/core';
import { eventStatuses, HealthEvent_Update } from '@mooring/contract';
import { IconMapPin } from '@tabler/icons-react';
import { useState } from 'react';
import { type HealthEvent, useUpdateRegion } from '../../../api/health/health.ts';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { EmptyState } from '../../../components/feedback/empty-state.tsx';
import { getBodyRules } from '../../../components/forms/field-rules.ts';
import { Form } from '../../../components/forms/form.tsx';
import { LongTextField } from '../../../components/forms/long-text-field.tsx';
import { Section } from '../../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../../components/tables/columns.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { RowButton } from '../../../components/tables/row-button.tsx';
import type { Column } from '../../../components/tables/table.ts';
import { StatusBadge } from '../event-badges.tsx';
import type { EventStatus } from '../event-labels.ts';

interface RegionState {
  service: string;
  region: string;
  status: EventStatus | undefined;
  lastUpdateTime: string | undefined;
}

const listRegions = ({ properties }: HealthEvent): RegionState[] =>
  (properties.impact ?? []).flatMap(({ impactedService, impactedRegions = [] }) =>
    impactedRegions.map(({ impactedRegion, status, lastUpdateTime }) => ({
      service: impactedService,
      region: impactedRegion,
      status,
      lastUpdateTime,
    })),
  );

/** Status of each region; operators publish updates here. */
export function EventRegions({ event, canChange }: { event: HealthEvent; canChange: boolean }) {
  const [open, setOpen] = useState<RegionState>();
  const regions = listRegions(event);
  const change = actionsColumn<RegionState>(100, (row) => (
    <RowButton label={`Update ${row.service}, ${row.region}`} onClick={() => setOpen(row)}>
      Update
    </RowButton>
  ));
  return (
    <Section title="Services and regions">
      <DataTable
        id="event-regions"
        label="Services and regions"
        query={{ data: regions, error: null, refetch: () => undefined }}
        columns={canChange ? [...columns, change] : columns}
        rowKey={({ service, region }) => `${service}\n${region}`}
        empty={<EmptyState icon={<IconMapPin size={32} aria-hidden />}>No services or regions</EmptyState>}
      />
      <Dialog
        opened={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={`Update ${open?.service}, ${open?.region}`}
      >
        {open && <UpdateRegion event={event} state={open} onClose={() => setOpen(undefined)} />}
      </Dialog>
    </Section>
  );
}

const columns: Column<RegionState>[] = [
  { id: 'service', label: 'Service', text: ({ service }) => service, cell: ({ service }) => service },
  { id: 'region', label: 'Region', text: ({ region }) => region, cell: ({ region }) => region },
  {
    id: 'status',
    label: 'Status',
    width: 140,
    text: ({ status }) => status,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  timeColumn('last_update', 'Last update', ({ lastUpdateTime }) => lastUpdateTime),
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
      action="Publish update"
      sending={update}
      onCancel={onClose}
      onSend={(fields) =>
        update.mutate({ service, region, summary: fields.text('summary') ?? '', status: next }, { onSuccess: onClose })
      }
    >
      <Text size="sm">Everyone who can read the event sees this update.</Text>
      <LongTextField
        name="summary"
        label="Update"
        rule={getBodyRules(HealthEvent_Update)('summary')}
        minRows={3}
        maxRows={12}
        data-autofocus
      />
      <Select
        label="Region status"
        data={[...eventStatuses]}
        value={next}
        onChange={(chosen) => chosen && setNext(chosen as EventStatus)}
        allowDeselect={false}
      />
    </Form>
  );
}
