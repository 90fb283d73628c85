import { Badge, Code, Group, Text } from '@mantine/core';
import type { ApiToken } from '../../api/tokens.ts';
import { timeColumn } from '../../parts/columns.tsx';
import type { Column } from '../../parts/table.ts';
import { Time } from '../../parts/time.tsx';
import { accessOf, isExpired, nameOf } from './token-words.ts';

export const makerColumn: Column<ApiToken> = {
  label: 'Created by',
  sort: 'created_by',
  width: 150,
  text: ({ created_by }) => created_by,
  cell: ({ created_by }) => created_by,
  onPhone: 'label',
};

export const appColumn: Column<ApiToken> = {
  label: 'App',
  width: 180,
  text: ({ app }) => app,
  cell: ({ app }) => app ?? '',
};

export const tokenColumns: Column<ApiToken>[] = [
  {
    label: 'Name',
    sort: 'description',
    text: nameOf,
    cell: (token) => (
      <Text size="sm" fw={600} c={token.description ? undefined : 'dimmed'} truncate>
        {nameOf(token)}
      </Text>
    ),
  },
  {
    label: 'Access',
    sort: 'scope',
    width: 120,
    text: accessOf,
    cell: (token) => <Badge color={token.scope.includes('all') ? 'harbor' : 'gray'}>{accessOf(token)}</Badge>,
  },
  {
    label: 'Ends in',
    sort: 'last_four',
    width: 90,
    text: ({ last_four }) => last_four,
    cell: ({ last_four }) => <Code>…{last_four}</Code>,
    onPhone: 'hidden',
  },
  timeColumn('Created', ({ created_at }) => created_at, { sort: 'created_at', isSecondary: true }),
  timeColumn('Last used', ({ last_used_at }) => last_used_at, { sort: 'last_used_at', none: 'never' }),
  {
    label: 'Expires',
    sort: 'expires_at',
    width: 190,
    text: ({ expires_at }) => expires_at,
    cell: (token) => <Expiry token={token} />,
    onPhone: 'label',
  },
];

function Expiry({ token }: { token: ApiToken }) {
  if (!token.expires_at) return 'never';
  return (
    <Group gap="xs" wrap="nowrap">
      <Time at={token.expires_at} />
      {isExpired(token, Date.now()) && (
        <Badge size="sm" color="red">
          Expired
        </Badge>
      )}
    </Group>
  );
}
