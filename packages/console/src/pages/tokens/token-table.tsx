import { Badge, Button, Center, Checkbox, Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiToken } from '../../api/tokens.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import { accessOf, isExpired, nameOf } from './token-words.ts';

/** An account can hold thousands; drawing them all at once would freeze the page. */
const STEP = 100;

interface TokenTableProps {
  tokens: ApiToken[];
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  canDelete: (token: ApiToken) => boolean;
  hasMakers: boolean | undefined;
}

export function TokenTable({ tokens, selected, onSelect, canDelete, hasMakers }: TokenTableProps) {
  const [limit, setLimit] = useState(STEP);
  const shown = tokens.slice(0, limit);
  return (
    <Stack>
      <DataTable
        label="API tokens"
        columns={[
          selection(shown.filter(canDelete), selected, onSelect, canDelete),
          ...facts,
          ...(hasMakers ? [maker] : []),
          ...(tokens.some(({ app }) => app) ? [actsFor] : []),
        ]}
        rows={shown}
        keyOf={({ id }) => id}
      />
      {tokens.length > limit && (
        <Center>
          <Button variant="default" onClick={() => setLimit(limit + STEP)}>
            Show more
          </Button>
        </Center>
      )}
    </Stack>
  );
}

function selection(
  shown: ApiToken[],
  selected: ReadonlySet<string>,
  onSelect: TokenTableProps['onSelect'],
  canDelete: TokenTableProps['canDelete'],
): Column<ApiToken> {
  const count = shown.filter(({ id }) => selected.has(id)).length;
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return {
    label: 'Select',
    isTight: true,
    header: (
      <Checkbox
        aria-label="Select all"
        label="Select all"
        labelPosition="left"
        // The column says it by its place; the cards of a phone have no columns.
        classNames={{ labelWrapper: 'mantine-hidden-from-sm' }}
        checked={count > 0 && count === shown.length}
        indeterminate={count > 0 && count < shown.length}
        onChange={({ currentTarget }) => onSelect(new Set(currentTarget.checked ? shown.map(({ id }) => id) : []))}
      />
    ),
    cell: (token) =>
      canDelete(token) && (
        <Checkbox
          aria-label={`Select ${nameOf(token)} …${token.last_four}`}
          checked={selected.has(token.id)}
          onChange={() => toggle(token.id)}
        />
      ),
  };
}

const maker: Column<ApiToken> = { label: 'Made by', isWhole: true, cell: ({ created_by }) => created_by };

const actsFor: Column<ApiToken> = { label: 'App', isWhole: true, cell: ({ app }) => app ?? '' };

const facts: Column<ApiToken>[] = [
  {
    label: 'Name',
    cell: (token) => (
      <Text size="sm" fw={600} c={token.description ? undefined : 'dimmed'}>
        {nameOf(token)}
      </Text>
    ),
  },
  {
    label: 'Access',
    isWhole: true,
    cell: (token) => <Badge color={token.scope.includes('all') ? 'harbor' : 'gray'}>{accessOf(token)}</Badge>,
  },
  { label: 'Ends in', isWhole: true, cell: ({ last_four }) => <Code>…{last_four}</Code> },
  { label: 'Created', isWhole: true, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    label: 'Last used',
    isWhole: true,
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : 'never'),
  },
  { label: 'Expires', isWhole: true, cell: (token) => <Expiry token={token} /> },
];

function Expiry({ token }: { token: ApiToken }) {
  if (!token.expires_at) return 'never';
  return (
    <Stack gap={2} align="flex-start">
      <Time at={token.expires_at} />
      {isExpired(token, Date.now()) && (
        <Badge size="sm" color="red">
          expired
        </Badge>
      )}
    </Stack>
  );
}
