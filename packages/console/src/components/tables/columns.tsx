import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Time } from '../text/time.tsx';
import { UserName } from '../text/user-name.tsx';
import type { Column } from './table.ts';

interface TimeOptions {
  /** Text for a missing time. */
  none?: string;
  /** Name in the API. */
  sort?: string;
  isSecondary?: boolean;
}

/** A column with a time. */
export const timeColumn = <Row,>(
  id: string,
  label: string,
  at: (row: Row) => string | undefined,
  { none = '—', ...options }: TimeOptions = {},
): Column<Row> => ({
  id,
  label,
  width: 145,
  text: at,
  mobileDisplay: 'label',
  cell: (row) => {
    const moment = at(row);
    return moment ? <Time at={moment} /> : none;
  },
  ...options,
});

/** Row actions, as wide as their buttons. */
export const actionsColumn = <Row,>(width: number, cell: (row: Row) => ReactNode): Column<Row> => ({
  id: 'actions',
  label: 'Actions',
  width,
  isActions: true,
  cell: (row) => (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      {cell(row)}
    </Group>
  ),
});

interface UserSummary {
  name: string;
  display_name: string;
  email?: string;
}

/** A person with their email. */
export const userColumns = <Row,>(
  getUser: (row: Row) => UserSummary,
  sort: { name?: string; email?: string } = {},
): Column<Row>[] => [
  {
    id: 'name',
    label: 'Name',
    cell: (row) => <UserName person={getUser(row)} />,
    text: (row) => getUser(row).display_name,
    ...(sort.name ? { sort: sort.name } : {}),
  },
  {
    id: 'email',
    label: 'Email',
    cell: (row) => getUser(row).email ?? getUser(row).name,
    text: (row) => getUser(row).email ?? getUser(row).name,
    ...(sort.email ? { sort: sort.email } : {}),
  },
];
