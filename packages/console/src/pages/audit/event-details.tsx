import { Badge, Group, Stack, Table, Text } from '@mantine/core';
import type { AuditEvent } from '../../api/audit.ts';
import { exactTime } from '../../parts/time-words.ts';
import { changesOf } from './changes.ts';

const actors: Record<AuditEvent['actor']['kind'], string> = {
  user: 'A user',
  app: 'An app token',
  anonymous: 'A visitor',
  system: 'The server',
};

export const actorInWords = ({ name, kind }: AuditEvent['actor']): string => name ?? actors[kind];

/** By what they were known, where it is not their own session. */
function meansOf({ token_id, credential, client_id }: AuditEvent['actor']): string | undefined {
  if (token_id) return `with API token ${token_id}`;
  return credential === 'oauth' ? `through the program ${client_id ?? ''}`.trim() : undefined;
}

/** Everything that is known of a change. */
export function EventDetails({ event }: { event: AuditEvent }) {
  const { actor, subject, at, address, request_id, action } = event;
  const details: [string, string | undefined][] = [
    ['Who', [actorInWords(actor), meansOf(actor)].filter(Boolean).join(', ')],
    ['When', exactTime(Date.parse(at))],
    ['From', address],
    ['Subject id', subject.id],
    ['Request', request_id],
  ];
  const changes = changesOf(event);
  return (
    <Stack gap="xs" component="section">
      <Group gap="xs">
        <Text fw={600}>{subject.name ?? '(unnamed)'}</Text>
        <Badge color="gray">{action}</Badge>
      </Group>
      <Rows label="Details" rows={details.filter(([, value]) => value)} />
      {changes.length > 0 && (
        <Rows
          label="Changes"
          head={['Field', 'Before', 'After']}
          rows={changes.map(({ field, before, after }) => [field, before ?? '—', after ?? '—'])}
        />
      )}
    </Stack>
  );
}

interface RowsProps {
  label: string;
  head?: string[];
  rows: (string | undefined)[][];
}

const Rows = ({ label, head, rows }: RowsProps) => (
  <Table aria-label={label} layout="fixed" verticalSpacing={4} style={{ overflowWrap: 'anywhere' }}>
    {head && (
      <Table.Thead>
        <Table.Tr>
          {head.map((each) => (
            <Table.Th key={each}>{each}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
    )}
    <Table.Tbody>
      {rows.map(([name, ...values]) => (
        <Table.Tr key={name}>
          <Table.Th scope="row" fw={500}>
            {name}
          </Table.Th>
          {values.map((value, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns stay
            <Table.Td key={at}>{value}</Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
