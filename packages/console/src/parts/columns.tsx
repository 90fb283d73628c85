import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Person } from './person.tsx';
import type { Column } from './table.ts';
import { Time } from './time.tsx';

interface TimeOptions {
  /** What stands there without a time. */
  none?: string;
  /** What the API calls it. */
  sort?: string;
  isSecondary?: boolean;
}

/** A moment in the life of a row. */
export const timeColumn = <Row,>(
  label: string,
  at: (row: Row) => string | undefined,
  { none = '—', ...options }: TimeOptions = {},
): Column<Row> => ({
  label,
  width: 145,
  text: at,
  onPhone: 'label',
  cell: (row) => {
    const moment = at(row);
    return moment ? <Time at={moment} /> : none;
  },
  ...options,
});

/** What can be done with a row; as wide as its buttons. */
export const actionsColumn = <Row,>(width: number, cell: (row: Row) => ReactNode): Column<Row> => ({
  label: 'Actions',
  width,
  isActions: true,
  cell: (row) => (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      {cell(row)}
    </Group>
  ),
});

interface Named {
  name: string;
  display_name: string;
  email?: string;
}

/** Somebody, and the address that they are reached by. */
export const personColumns = <Row,>(
  of: (row: Row) => Named,
  sort: { name?: string; email?: string } = {},
): Column<Row>[] => [
  {
    label: 'Name',
    cell: (row) => <Person person={of(row)} />,
    text: (row) => of(row).display_name,
    ...(sort.name ? { sort: sort.name } : {}),
  },
  {
    label: 'E-mail',
    cell: (row) => of(row).email ?? of(row).name,
    text: (row) => of(row).email ?? of(row).name,
    ...(sort.email ? { sort: sort.email } : {}),
  },
];
