import { Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { type AuditEvent, type AuditScope, useAuditEvents } from '../../api/audit.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DetailDrawer, useOpenRow } from '../../parts/detail-drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFilters } from '../../parts/filters.tsx';
import { NameLink } from '../../parts/links.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column, Rows } from '../../parts/table.ts';
import { useListQuery } from '../../parts/table-state.ts';
import { readRange } from '../../parts/time-range.ts';
import { changeInWords, changesOf } from './changes.ts';
import { actorInWords, EventDetails } from './event-details.tsx';
import { gather, kindInWords, sentenceOf } from './sentence.ts';

interface AuditLogProps {
  lead: string;
  scope: AuditScope;
  /** The kinds of things whose changes can be asked for. */
  kinds: string[];
}

/** One event, or several that were one act. */
type Act = AuditEvent[];

const first = (act: Act): AuditEvent => act[0] as AuditEvent;

/** Who changed what, with filters that are part of the address. */
export function AuditLog({ lead, scope, kinds }: AuditLogProps) {
  const { values, bar } = useFilters(
    [
      { name: 'actor', label: 'Who', kind: 'text' },
      {
        name: 'kind',
        label: 'What',
        kind: 'choice',
        choices: kinds.map((value) => ({ value, label: capital(kindInWords(value)) })),
      },
      { name: 'since', label: 'When', kind: 'time' },
    ],
    [{ label: 'Changes of the last 24 hours', values: { since: '24h' } }],
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
    <Page title="Audit log" lead={lead}>
      <DataTable
        label="Audit log"
        reading={acts}
        columns={columnsFor(row.to)}
        keyOf={(act) => first(act).id}
        search="Search the audit log"
        filters={bar}
        isServers
        empty={<Empty icon={<IconHistory size={32} aria-hidden />}>No change is recorded yet.</Empty>}
      />
      <DetailDrawer title={shown && capital(sentenceOf(shown))} isOpen={shown !== undefined} onClose={row.close}>
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
    : changesOf(first(act)).map(changeInWords).join('; ');

const columnsFor = (to: (key: string) => string): Column<Act>[] => [
  {
    label: 'What',
    width: '40%',
    text: sentenceOf,
    cell: (act) => <NameLink to={to(first(act).id)}>{capital(sentenceOf(act))}</NameLink>,
  },
  { label: 'Change', text: changed, cell: (act) => changed(act) || '—' },
  {
    label: 'Who',
    width: 160,
    text: (act) => actorInWords(first(act).actor),
    cell: (act) => actorInWords(first(act).actor),
  },
  {
    label: 'From',
    width: 140,
    isSecondary: true,
    onPhone: 'hidden',
    text: (act) => first(act).address,
    cell: (act) => (
      <Text size="sm" span>
        {first(act).address ?? '—'}
      </Text>
    ),
  },
  timeColumn('When', (act) => first(act).at),
];
