import { Paper, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';
import { QueryBoundary } from '../feedback/query-boundary.tsx';
import { toCsv } from './csv.ts';
import classes from './data-table.module.css';
import { download } from './download.ts';
import { Pager } from './pager.tsx';
import type { Column, FilterBar, Rows, Selection } from './table.ts';
import { TableBody, TableOutline } from './table-body.tsx';
import { searchRows, sortRows } from './table-rows.ts';
import { useTableState } from './table-state.ts';
import { ClearButton, TableToolbar } from './table-toolbar.tsx';

export interface DataTableProps<Row> {
  /** Names the table in this browser's storage, so it must stay the same when the label changes. */
  id: string;
  label: string;
  /** Prefix of its URL parameters, where a page has several tables. */
  name?: string;
  query: Rows<Row>;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  /** Shown if the list is empty. */
  empty: ReactNode;
  /** Label of the search field; without it, the table has no toolbar. */
  search?: string;
  filters?: FilterBar;
  /** The server searches and sorts. */
  isServers?: boolean;
  selection?: Selection<Row>;
  /** Rows of the skeleton; few where a table is often empty and has content below. */
  outlineRows?: number;
}

/** Rendering thousands of rows together would freeze the page. */
const PAGE = 50;
/** Maximum number of rows in a CSV file. */
const FILE_ROWS = 10_000;

/** A list in all its states: loading, empty, failed, short and long, with search, sorting and paging. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    id,
    label,
    name,
    query,
    columns,
    rowKey,
    empty,
    search,
    filters,
    isServers = false,
    selection,
    outlineRows,
  } = props;
  const state = useTableState(name);
  const [hidden, setHidden] = useLocalStorage<string[]>({
    key: `mooring-columns-${id}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const shown = columns.filter((column) => !hidden.includes(column.id));
  const typed = useDeferredValue(state.search);
  const { data } = query;
  const arrange = (rows: Row[]) => (isServers ? rows : sortRows(searchRows(rows, columns, typed), columns, state.sort));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a table's columns always extract the same values.
  const rows = useMemo(() => arrange(data ?? []), [data, typed, state.sort?.by, state.sort?.isDescending, isServers]);

  const isNarrowed = Boolean(state.search.trim() || filters?.isAny);
  const total = isServers ? (query.total ?? (query.hasNextPage ? undefined : rows.length)) : rows.length;
  const page = Math.min(state.page, Math.max(1, Math.ceil(rows.length / PAGE)));
  const first = (page - 1) * PAGE;
  const here = rows.slice(first, first + PAGE);
  const hasNext = rows.length > first + PAGE || (query.hasNextPage ?? false);
  const goTo = async (next: number) => {
    // The API may return less than a page.
    for (let all = query; arrange(all.data ?? []).length <= (next - 1) * PAGE && all.hasNextPage && all.fetchNextPage; )
      all = await all.fetchNextPage();
    state.setPage(next);
  };
  const save = async () => {
    let all = query;
    while (all.hasNextPage && (all.data?.length ?? 0) < FILE_ROWS && all.fetchNextPage) all = await all.fetchNextPage();
    const named = shown.filter(({ text }) => text);
    const lines = arrange(all.data ?? []).map((row) => named.map(({ text }) => text?.(row)));
    download(
      `${label.toLowerCase().replaceAll(/\W+/g, '-')}.csv`,
      'text/csv',
      toCsv([named.map(({ label }) => label), ...lines]),
    );
  };
  const clear = () => {
    filters?.clear();
    state.setSearch('');
  };

  const pager = { first, count: here.length, total, page, hasNext, isBusy: query.isFetchingNextPage ?? false, goTo };
  const isEmpty = data !== undefined && rows.length === 0 && !isNarrowed;
  return (
    <Stack gap="xs">
      {(search || filters) && !isEmpty && (
        <TableToolbar
          id={id}
          search={search}
          filters={filters}
          state={state}
          columns={columns}
          hidden={hidden}
          onHide={setHidden}
          isServers={isServers}
          onSave={save}
          pager={pager}
          isLoaded={data !== undefined}
        />
      )}
      <QueryBoundary query={query} skeleton={<TableOutline label={label} columns={shown} rows={outlineRows} />}>
        {() => {
          if (isEmpty) return empty;
          if (rows.length === 0) {
            return (
              <EmptyState icon={<IconSearch size={32} aria-hidden />} action={<ClearButton onClear={clear} />}>
                No matches
              </EmptyState>
            );
          }
          return (
            <>
              <Paper withBorder className={classes.frame}>
                <TableBody
                  label={label}
                  columns={shown}
                  rows={here}
                  rowKey={rowKey}
                  state={state}
                  isServers={isServers}
                  selection={selection}
                />
              </Paper>
              <Pager {...pager} error={query.isFetchNextPageError ? query.error : undefined} />
            </>
          );
        }}
      </QueryBoundary>
    </Stack>
  );
}
