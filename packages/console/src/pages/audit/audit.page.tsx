import { Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { type AuditEvent, useAuditEvents } from '../../api/admin.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { LoadMore } from '../../parts/load-more.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { actionInWords, changesOf } from './changes.ts';

export default function AuditPage() {
  const events = useAuditEvents();
  return (
    <Page title="Audit log" lead="Every change made on this server, newest first.">
      <Loaded reading={events}>
        {(rows) =>
          rows.length > 0 ? (
            <Stack>
              <DataTable label="Audit log" columns={columns} rows={rows} keyOf={({ id }) => id} />
              <LoadMore pages={events} />
            </Stack>
          ) : (
            <Empty icon={<IconHistory size={32} aria-hidden />}>
              Nothing has been changed yet. Create a user or an API token, and it shows here.
            </Empty>
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

const kinds: Record<AuditEvent['actor']['kind'], string> = {
  user: 'a user',
  app: 'an app token',
  anonymous: 'a visitor',
  system: 'the server',
};

const Actor = ({ actor }: { actor: AuditEvent['actor'] }) => (
  <div>
    <span title={actor.user_id}>{actor.name ?? kinds[actor.kind]}</span>
    {actor.token_id && (
      <Text size="xs" c="dimmed" title={actor.token_id}>
        with an API token
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
          {[before, after].filter((value) => value !== undefined).join(' → ')}
        </Text>
      ))}
    </div>
  );
}
