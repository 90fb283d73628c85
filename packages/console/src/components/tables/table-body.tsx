import { Paper, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type FocusEvent, type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { focusOn } from '../dialogs/focus-return.ts';
import classes from './data-table.module.css';
import { type Column, canSort, type Selection } from './table.ts';
import { useTableKeys } from './table-keys.ts';
import { sortName } from './table-rows.ts';
import type { TableState } from './table-state.ts';

interface TableBodyProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  state: TableState;
  isServers: boolean;
  selection: Selection<Row> | undefined;
}

/** Browsers drop table semantics from two-line rows on phones; explicit roles keep them. */
const roles = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
};

/** Rows with their column headers. */
export function TableBody<Row>({ label, columns, rows, rowKey, state, isServers, selection }: TableBodyProps<Row>) {
  const table = useRef<HTMLTableElement>(null);
  useTableKeys(table);
  const noteFocus = useFocusAfterRemoval(table, rows.map(rowKey));
  return (
    <table
      ref={table}
      data-rows
      {...roles.table}
      aria-label={label}
      className={classes.table}
      onMouseOver={showCutText}
      onFocus={noteFocus}
    >
      <Widths columns={columns} hasSelection={selection !== undefined} />
      <thead {...roles.rowgroup}>
        <tr {...roles.row}>
          {selection && <SelectAll selection={selection} rows={rows} rowKey={rowKey} />}
          {columns.map((column) => (
            <Head key={column.id} column={column} state={state} isServers={isServers} />
          ))}
        </tr>
      </thead>
      <tbody {...roles.rowgroup}>
        {rows.map((row) => {
          const key = rowKey(row);
          return (
            <tr key={key} {...roles.row} data-key={key} tabIndex={-1}>
              {selection && (
                <td {...roles.cell} className={classes.select}>
                  {selection.canSelect(row) && <SelectOne selection={selection} row={row} id={key} />}
                </td>
              )}
              {columns.map((column, at) => (
                <td key={column.id} {...roles.cell} data-label={column.label} className={getCellClass(column, at)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function getCellClass<Row>(
  { isActions, isNumber, isWrapped, isSecondary, mobileDisplay }: Column<Row>,
  at: number,
): string {
  return [
    isActions ? classes.actions : at === 0 && classes.main,
    isNumber && classes.number,
    isWrapped && classes.wrapped,
    isSecondary && classes.secondary,
    mobileDisplay === 'label' && classes.labelled,
    mobileDisplay === 'hidden' && classes.notOnPhone,
  ]
    .filter(Boolean)
    .join(' ');
}

const Widths = <Row,>({ columns, hasSelection }: { columns: Column<Row>[]; hasSelection: boolean }) => (
  <colgroup>
    {hasSelection && <col style={{ width: 40 }} />}
    {columns.map(({ id, width, isSecondary }) => (
      <col key={id} style={{ width }} className={isSecondary ? classes.secondary : undefined} />
    ))}
  </colgroup>
);

interface HeadProps<Row> {
  column: Column<Row>;
  state: TableState;
  isServers: boolean;
}

function Head<Row>({ column, state: { sort, toggleSort }, isServers }: HeadProps<Row>) {
  const { label, isActions, isNumber, isSecondary } = column;
  const className = [isSecondary && classes.secondary, isNumber && classes.number].filter(Boolean).join(' ');
  if (!canSort(column, isServers)) {
    return (
      <th {...roles.columnheader} scope="col" className={className}>
        {isActions ? <VisuallyHidden>{label}</VisuallyHidden> : label}
      </th>
    );
  }
  const by = sortName(column);
  const isBy = sort?.by === by;
  const Arrow = sort?.isDescending ? IconArrowDown : IconArrowUp;
  return (
    <th
      {...roles.columnheader}
      scope="col"
      className={className}
      aria-sort={isBy ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <UnstyledButton className={classes.sort} data-active={isBy || undefined} onClick={() => toggleSort(by)}>
        {label}
        <Arrow size={14} aria-hidden />
      </UnstyledButton>
    </th>
  );
}

interface SelectAllProps<Row> {
  selection: Selection<Row>;
  rows: Row[];
  rowKey: (row: Row) => string;
}

function SelectAll<Row>({ selection: { selected, onSelect, canSelect }, rows, rowKey }: SelectAllProps<Row>) {
  const keys = rows.filter(canSelect).map(rowKey);
  const count = keys.filter((key) => selected.has(key)).length;
  return (
    <th {...roles.columnheader} scope="col" className={classes.select}>
      <label className={classes.check}>
        {/* On wide screens the column position explains the checkbox; phones need a label. */}
        <span className={classes.checkLabel}>Select all</span>
        <input
          type="checkbox"
          aria-label="Select all"
          checked={count > 0 && count === keys.length}
          ref={(input) => {
            if (input) input.indeterminate = count > 0 && count < keys.length;
          }}
          onChange={({ currentTarget }) => onSelect(new Set(currentTarget.checked ? keys : []))}
        />
      </label>
    </th>
  );
}

function SelectOne<Row>({ selection, row, id }: { selection: Selection<Row>; row: Row; id: string }) {
  const { selected, onSelect, rowName } = selection;
  const toggle = () => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return (
    <label className={classes.check}>
      <input type="checkbox" aria-label={`Select ${rowName(row)}`} checked={selected.has(id)} onChange={toggle} />
    </label>
  );
}

/** Shows truncated text as a tooltip. */
function showCutText({ target }: MouseEvent<HTMLElement>): void {
  if (!(target instanceof HTMLElement) || !target.closest('td') || (target.title && !target.dataset.cut)) return;
  const isCut = target.scrollWidth > target.clientWidth;
  target.title = isCut ? (target.textContent ?? '') : '';
  target.dataset.cut = 'told';
}

/** Moves the focus from a deleted row to the row that takes its place. */
function useFocusAfterRemoval(table: RefObject<HTMLElement | null>, keys: string[]) {
  const last = useRef<{ key: string; at: number }>(undefined);
  // Leaves the focus alone if it was elsewhere.
  const wasSomewhere = document.activeElement !== document.body;
  useLayoutEffect(() => {
    if (!last.current || keys.includes(last.current.key)) return;
    const rows = table.current?.querySelectorAll<HTMLElement>('tbody > [role=row]') ?? [];
    const next = rows[Math.min(last.current.at, rows.length - 1)];
    last.current = undefined;
    if (next && wasSomewhere && document.activeElement === document.body) focusOn(next);
  });
  return ({ target }: FocusEvent<HTMLElement>) => {
    const key = target.closest<HTMLElement>('[data-key]')?.dataset.key;
    if (key !== undefined) last.current = { key, at: keys.indexOf(key) };
  };
}

const OUTLINE_ROWS = 8;

interface TableOutlineProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: number | undefined;
}

/** Skeleton of a short table. */
export const TableOutline = <Row,>({ label, columns, rows = OUTLINE_ROWS }: TableOutlineProps<Row>) => (
  <Paper withBorder className={classes.frame} role="status" aria-label="Loading">
    <table className={classes.table} aria-hidden aria-label={label}>
      <Widths columns={columns} hasSelection={false} />
      <thead>
        <tr>
          {columns.map(({ id, label, isActions, isSecondary }) => (
            <th key={id} className={isSecondary ? classes.secondary : undefined}>
              {!isActions && label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: rows }, (_, at) => at).map((row) => (
          <tr key={row}>
            {columns.map((column, at) => (
              <td key={column.id} className={getCellClass(column, at)}>
                {!column.isActions && <Skeleton height={12} width={`${40 + ((row * 7 + at * 13) % 40)}%`} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Paper>
);
