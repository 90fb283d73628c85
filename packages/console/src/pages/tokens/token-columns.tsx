import { Badge, Code, Group, Text } from '@mantine/core';
import type { ApiToken } from '../../api/account/tokens.ts';
import { timeColumn } from '../../components/tables/columns.tsx';
import type { Column } from '../../components/tables/table.ts';
import { Time } from '../../components/text/time.tsx';
import { formatAccess, getTokenName, isExpired } from './token-labels.ts';

export const makerColumn: Column<ApiToken> = {
  id: 'created_by',
  label: 'Created by',
  sort: 'created_by',
  width: 150,
  text: ({ created_by }) => created_by,
  cell: ({ created_by }) => created_by,
  mobileDisplay: 'label',
};

export const appColumn: Column<ApiToken> = {
  id: 'app',
  label: 'App',
  width: 180,
  text: ({ app }) => app,
  cell: ({ app }) => app ?? '',
};

export const tokenColumns: Column<ApiToken>[] = [
  {
    id: 'description',
    label: 'Name',
    sort: 'description',
    text: getTokenName,
    cell: (token) => (
      <Text size="sm" fw={600} c={token.description ? undefined : 'dimmed'} truncate>
        {getTokenName(token)}
      </Text>
    ),
  },
  {
    id: 'scope',
    label: 'Access',
    sort: 'scope',
    width: 120,
    text: formatAccess,
    cell: (token) => <Badge color={token.scope.includes('all') ? 'harbor' : 'gray'}>{formatAccess(token)}</Badge>,
  },
  {
    id: 'last_four',
    label: 'Ends in',
    sort: 'last_four',
    width: 90,
    text: ({ last_four }) => last_four,
    cell: ({ last_four }) => <Code>…{last_four}</Code>,
    mobileDisplay: 'hidden',
  },
  timeColumn('created_at', 'Created', ({ created_at }) => created_at, { sort: 'created_at', isSecondary: true }),
  timeColumn('last_used_at', 'Last used', ({ last_used_at }) => last_used_at, { sort: 'last_used_at', none: 'Never' }),
  {
    id: 'expires_at',
    label: 'Expires',
    sort: 'expires_at',
    width: 190,
    text: ({ expires_at }) => expires_at,
    cell: (token) => <Expiry token={token} />,
    mobileDisplay: 'label',
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
