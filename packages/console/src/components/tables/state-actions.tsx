import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Failure } from '../feedback/failure.tsx';
import { formatCount } from '../text/format-count.ts';
import type { Selection } from './table.ts';

interface StateChange<State> {
  mutate: (change: { ids: readonly string[]; state: State }, options: { onSuccess: () => void }) => void;
  isPending: boolean;
  error: Error | null;
}

interface StateActionsOptions<Row, State> {
  /** Undefined while the list loads. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  rowName: (row: Row) => string;
  /** Singular and plural. */
  noun: readonly [one: string, many: string];
  actions: readonly { state: State; label: string }[];
  change: StateChange<State>;
}

/** Buttons that change the state of all selected rows, and the selection for the table below. */
export function useStateActions<Row, State>({
  rows = [],
  rowKey,
  rowName,
  noun: [one, many],
  actions,
  change,
}: StateActionsOptions<Row, State>) {
  const [selected, onSelect] = useState<ReadonlySet<string>>(new Set());
  // Rows that a filter hides are no longer selected.
  const ids = rows.map(rowKey).filter((key) => selected.has(key));
  const selection: Selection<Row> = { selected, onSelect, canSelect: () => true, rowName };
  const bar = (ids.length > 0 || change.error !== null) && (
    <Stack gap="xs">
      {change.error && <Failure error={change.error} title={`Couldn't change all ${many}`} />}
      {ids.length > 0 && (
        <Group gap="xs" role="group" aria-label="Selected rows">
          {actions.map(({ state, label }) => (
            <Button
              key={label}
              variant="default"
              loading={change.isPending}
              onClick={() => change.mutate({ ids, state }, { onSuccess: () => onSelect(new Set()) })}
            >
              {label} {formatCount(ids.length, one, many)}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
  return { selection, bar };
}
