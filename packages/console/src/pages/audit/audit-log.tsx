import { Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { type AuditEvent, type AuditScope, useAuditEvents } from '../../api/administration/audit.ts';
import { DetailDrawer, useOpenRow } from '../../components/dialogs/detail-drawer.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { useFilters } from '../../components/filters/filters.tsx';
import { readRange } from '../../components/filters/time-range.ts';
import { Page } from '../../components/layout/page.tsx';
import { timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column, Rows } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';
import { NameLink } from '../../components/text/links.tsx';
import { formatChange, listChanges } from './changes.ts';
import { EventDetails, formatActor } from './event-details.tsx';
import { formatKind, formatSentence, gather } from './sentence.ts';

interface AuditLogProps {
  description: string;
  scope: AuditScope;
  /** Resource types to filter by. */
  kinds: string[];
}

/** One event, or several of one action. */
type Act = AuditEvent[];

const first = (act: Act): AuditEvent => act[0] as AuditEvent;

/** Audit log with filters in the URL. */
export function AuditLog({ description, scope, kinds }: AuditLogProps) {
  const { values, bar } = useFilters(
    [
      { name: 'actor', label: 'Actor', kind: 'text' },
      {
        name: 'kind',
        label: 'Resource',
        kind: 'choice',
        choices: kinds.map((value) => ({ value, label: capital(formatKind(value)) })),
      },
      { name: 'since', label: 'Time', kind: 'time' },
    ],
    [{ label: 'Last 24 hours', values: { since: '24h' } }],
  );
  const { actor, kind = '', since = '' } = values;
  const { search } = useListQuery([]);
  const events = useAuditEvents(scope, {
    search,
    actor: actor || undefined,
    action: kinds.includes(kind) ? kind : undefined,
    ...readRange(since, Date.now()),
  });
  const acts = inActs(events);
  const row = useOpenRow();
  const shown = acts.data?.find((act) => first(act).id === row.key);
  return (
    <Page title="Audit log" description={description}>
      <DataTable
        id="audit-log"
        label="Audit log"
        query={acts}
        columns={columnsFor(row.to)}
        rowKey={(act) => first(act).id}
        search="Search audit log"
        filters={bar}
        isServers
        empty={<EmptyState icon={<IconHistory size={32} aria-hidden />}>No changes yet</EmptyState>}
      />
      <DetailDrawer
        title={shown && `${formatActor(first(shown).actor)} ${formatSentence(shown)}`}
        isOpen={shown !== undefined}
        onClose={row.close}
      >
        <Stack gap="lg">
          {shown?.map((event) => (
            <EventDetails key={event.id} event={event} />
          ))}
        </Stack>
      </DetailDrawer>
    </Page>
  );
}

const inActs = (events: Rows<AuditEvent>): Rows<Act> => ({
  ...events,
  data: events.data && gather(events.data),
  fetchNextPage: async () => inActs((await events.fetchNextPage?.()) ?? events),
});

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const changed = (act: Act): string =>
  act.length > 1
    ? act.map(({ subject }) => subject.name ?? subject.id).join(', ')
    : listChanges(first(act)).map(formatChange).join('; ');

const columnsFor = (to: (key: string) => string): Column<Act>[] => [
  {
    id: 'action',
    label: 'Action',
    width: '40%',
    text: formatSentence,
    cell: (act) => <NameLink to={to(first(act).id)}>{capital(formatSentence(act))}</NameLink>,
  },
  { id: 'changes', label: 'Changes', text: changed, cell: (act) => changed(act) || '—' },
  {
    id: 'actor',
    label: 'Actor',
    width: 160,
    text: (act) => formatActor(first(act).actor),
    cell: (act) => formatActor(first(act).actor),
  },
  {
    id: 'ip_address',
    label: 'IP address',
    width: 140,
    isSecondary: true,
    mobileDisplay: 'hidden',
    text: (act) => first(act).address,
    cell: (act) => (
      <Text size="sm" span>
        {first(act).address ?? '—'}
      </Text>
    ),
  },
  timeColumn('time', 'Time', (act) => first(act).at),
];
