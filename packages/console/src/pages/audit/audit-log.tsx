import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { type AuditEvent, type AuditPlace, useAuditEvents } from '../../api/audit.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { LoadMore } from '../../parts/load-more.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { sinceDay } from '../../parts/since-day.ts';
import { Time } from '../../parts/time.tsx';
import { useUrlState } from '../../parts/url-state.ts';
import { actionInWords, changesOf } from './changes.ts';

interface AuditLogProps {
  lead: string;
  place: AuditPlace;
  /** The kinds of things whose changes can be asked for. */
  kinds: string[];
}

/** Who changed what, with filters that are part of the address. */
export function AuditLog({ lead, place, kinds }: AuditLogProps) {
  const [actor, setActor] = useUrlState('actor');
  const [kind, setKind] = useUrlState('kind');
  const [since, setSince] = useUrlState('since');
  const [typed] = useDebouncedValue(actor.trim(), 300);
  const events = useAuditEvents(place, {
    actor: typed || undefined,
    action: kinds.includes(kind) ? kind : undefined,
    since: sinceDay(since),
  });
  return (
    <Page title="Audit log" lead={lead}>
      <Group gap="sm" role="search">
        <TextInput
          aria-label="Who, by name"
          placeholder="Anybody"
          value={actor}
          onChange={({ currentTarget }) => setActor(currentTarget.value)}
          maxLength={100}
          flex="1 1 8rem"
          maw={{ xs: '12rem' }}
        />
        <Select
          aria-label="What"
          placeholder="Anything"
          data={kinds.map((value) => ({ value, label: actionInWords(value) }))}
          value={kind || null}
          onChange={(chosen) => setKind(chosen ?? '')}
          clearable
          flex="1 1 8rem"
          maw={{ xs: '12rem' }}
        />
        <TextInput
          aria-label="Since"
          title="Since"
          type="date"
          value={since}
          onChange={({ currentTarget }) => setSince(currentTarget.value)}
          flex="1 1 8rem"
          maw={{ xs: '10rem' }}
        />
      </Group>
      <Loaded reading={events}>
        {(rows) =>
          rows.length > 0 ? (
            <Stack>
              <DataTable label="Audit log" columns={columns} rows={rows} keyOf={({ id }) => id} />
              <LoadMore pages={events} />
            </Stack>
          ) : (
            <Empty icon={<IconHistory size={32} aria-hidden />}>No change is recorded that fits.</Empty>
          )
        }
      </Loaded>
    </Page>
  );
}

const columns: Column<AuditEvent>[] = [
  { label: 'When', isWhole: true, cell: ({ at }) => <Time at={at} /> },
  { label: 'Who', isWhole: true, cell: ({ actor }) => <Actor actor={actor} /> },
  {
    label: 'What',
    isWhole: true,
    cell: ({ action }) => (
      <Text size="sm" fw={600} title={action}>
        {actionInWords(action)}
      </Text>
    ),
  },
  { label: 'Subject', cell: ({ subject }) => <span title={subject.id}>{subject.name ?? '(unnamed)'}</span> },
  { label: 'Change', cell: (event) => <Changes event={event} /> },
  {
    label: 'From',
    isWhole: true,
    cell: ({ address, request_id }) => <span title={requestTitle(request_id)}>{address ?? '—'}</span>,
  },
];

const requestTitle = (id: string | undefined): string | undefined => (id ? `Request ${id}` : undefined);

const actors: Record<AuditEvent['actor']['kind'], string> = {
  user: 'a user',
  app: 'an app token',
  anonymous: 'a visitor',
  system: 'the server',
};

const Actor = ({ actor }: { actor: AuditEvent['actor'] }) => (
  <div>
    <span title={actor.user_id}>{actor.name ?? actors[actor.kind]}</span>
    {actor.token_id && (
      <Text size="xs" c="dimmed" title={actor.token_id}>
        with an API token
      </Text>
    )}
    {actor.credential === 'oauth' && (
      <Text size="xs" c="dimmed" title={actor.client_id}>
        through another program
      </Text>
    )}
  </div>
);

function Changes({ event }: { event: AuditEvent }) {
  const changes = changesOf(event);
  if (changes.length === 0) return '—';
  return (
    <div>
      {changes.map(({ field, before, after }) => (
        <Text key={field} size="sm">
          <Text span size="sm" c="dimmed">
            {field}
          </Text>{' '}
          {[...new Set([before, after])].filter((value) => value !== undefined).join(' → ')}
        </Text>
      ))}
    </div>
  );
}
