import { Badge, Group, Stack, Table, Text } from '@mantine/core';
import type { AuditEvent } from '../../api/administration/audit.ts';
import { formatExactTime } from '../../components/text/format-time.ts';
import { listChanges } from './changes.ts';

const actors: Record<AuditEvent['actor']['kind'], string> = {
  user: 'User',
  app: 'App token',
  directory: 'Directory',
  anonymous: 'Anonymous',
  system: 'Server',
};

export const formatActor = ({ name, kind }: AuditEvent['actor']): string => name ?? actors[kind];

/** Credential of the request, unless it was the user's session. */
function formatCredential({ token_id, credential, client_id }: AuditEvent['actor']): string | undefined {
  if (token_id) return `with API token ${token_id}`;
  return credential === 'oauth' ? `through OAuth client ${client_id ?? ''}`.trim() : undefined;
}

/** All details of an audit event. */
export function EventDetails({ event }: { event: AuditEvent }) {
  const { actor, subject, at, address, request_id, action } = event;
  const details: [string, string | undefined][] = [
    ['Actor', [formatActor(actor), formatCredential(actor)].filter(Boolean).join(', ')],
    ['Time', formatExactTime(Date.parse(at))],
    ['IP address', address],
    ['Resource ID', subject.id],
    ['Request ID', request_id],
  ];
  const changes = listChanges(event);
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
            // biome-ignore lint/suspicious/noArrayIndexKey: columns never move.
            <Table.Td key={at}>{value}</Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
