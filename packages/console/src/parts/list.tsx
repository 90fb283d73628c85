import { Group, Pagination, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Column, DataTable } from './data-table.tsx';
import { Loaded, type Reading } from './loaded.tsx';

/** Drawing thousands of rows at once would freeze the page. */
const PAGE = 50;

interface ListProps<Row> {
  label: string;
  reading: Reading<Row[]>;
  columns: Column<Row>[];
  keyOf: (row: Row) => string;
  /** Stands in place of a list without rows. */
  empty: ReactNode;
}

/** A list of what was read, in all its states: loading, empty, failed, short and long. */
export const List = <Row,>({ reading, empty, ...table }: ListProps<Row>) => (
  <Loaded reading={reading}>{(rows) => (rows.length > 0 ? <PagedTable rows={rows} {...table} /> : empty)}</Loaded>
);

type PagedTableProps<Row> = Omit<ListProps<Row>, 'reading' | 'empty'> & { rows: Row[] };

export function PagedTable<Row>({ rows, ...table }: PagedTableProps<Row>) {
  const [wanted, setPage] = useState(1);
  const pages = Math.ceil(rows.length / PAGE);
  const page = Math.min(wanted, Math.max(pages, 1));
  const first = (page - 1) * PAGE;
  return (
    <Stack>
      <DataTable {...table} rows={pages > 1 ? rows.slice(first, first + PAGE) : rows} />
      {pages > 1 && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {number(first + 1)}–{number(Math.min(first + PAGE, rows.length))} of {number(rows.length)}
          </Text>
          <Pagination
            size="sm"
            total={pages}
            value={page}
            onChange={setPage}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
            getItemProps={(each) => ({ 'aria-label': `Page ${each}` })}
          />
        </Group>
      )}
    </Stack>
  );
}

const number = (count: number): string => count.toLocaleString();
