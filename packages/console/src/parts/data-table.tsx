import { Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  label: string;
  /** In place of the label, above the column. */
  header?: ReactNode;
  /** Takes no more room than it needs, and stands without its label on a phone. */
  isTight?: boolean;
  /** Is never broken over two lines, where there is room for a table. */
  isWhole?: boolean;
  /** Several buttons: on a phone they get a line of their own. */
  isWide?: boolean;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
}

/** A table that turns into a list of cards on a phone; the roles keep it a table for screen readers there. */
export function DataTable<Row>({ label, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <Paper withBorder className={classes.frame}>
      <Table role="table" aria-label={label} verticalSpacing={7} horizontalSpacing="md" className={classes.table}>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map((column) => (
              <Table.Th key={column.label} role="columnheader" className={column.isTight ? classes.tight : undefined}>
                {column.header ?? column.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)} role="row">
              {columns.map((column) => (
                <Table.Td
                  key={column.label}
                  role="cell"
                  data-label={column.isTight ? undefined : column.label}
                  className={column.isWide ? classes.wide : column.isWhole ? classes.whole : undefined}
                >
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
