import { Paper, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { toCsv } from './csv.ts';
import classes from './data-table.module.css';
import { download } from './download.ts';
import { Empty } from './empty.tsx';
import { Loaded } from './loaded.tsx';
import { Pager } from './pager.tsx';
import type { Column, FilterBar, Rows, Selection } from './table.ts';
import { TableBody, TableOutline } from './table-body.tsx';
import { searchRows, sortRows } from './table-rows.ts';
import { useTableState } from './table-state.ts';
import { ClearButton, TableToolbar } from './table-toolbar.tsx';

export interface DataTableProps<Row> {
  label: string;
  /** Tells its part of the address from that of other tables on the page. */
  name?: string;
  reading: Rows<Row>;
  columns: Column<Row>[];
  keyOf: (row: Row) => string;
  /** Stands in place of a list without rows. */
  empty: ReactNode;
  /** What the search field says; without it there is no bar above the table. */
  search?: string;
  filters?: FilterBar;
  /** The rows come searched and sorted. */
  isServers?: boolean;
  selection?: Selection<Row>;
  /** How many rows stand there until they are known: few where a table is often empty and others are below it. */
  outlineRows?: number;
}

/** Drawing thousands of rows at once would freeze the page. */
const PAGE = 50;
/** More rows than this are not fetched for a file. */
const FILE_ROWS = 10_000;

/** A list in all its states: loading, empty, failed, short and long; searched, sorted and paged in the same way everywhere. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    name,
    reading,
    columns,
    keyOf,
    empty,
    search,
    filters,
    isServers = false,
    selection,
    outlineRows,
  } = props;
  const state = useTableState(name);
  const [hidden, setHidden] = useLocalStorage<string[]>({
    key: `mooring-columns-${label}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const shown = columns.filter(({ label }) => !hidden.includes(label));
  const typed = useDeferredValue(state.search);
  const { data } = reading;
  const arrange = (rows: Row[]) => (isServers ? rows : sortRows(searchRows(rows, columns, typed), columns, state.sort));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns of a table do not change what they say of a row.
  const rows = useMemo(() => arrange(data ?? []), [data, typed, state.sort?.by, state.sort?.isDescending, isServers]);

  const isNarrowed = Boolean(state.search.trim() || filters?.isAny);
  const total = isServers ? (reading.total ?? (reading.hasNextPage ? undefined : rows.length)) : rows.length;
  const page = Math.min(state.page, Math.max(1, Math.ceil(rows.length / PAGE)));
  const first = (page - 1) * PAGE;
  const here = rows.slice(first, first + PAGE);
  const hasNext = rows.length > first + PAGE || (reading.hasNextPage ?? false);
  const goTo = async (next: number) => {
    // What comes may be fewer rows than a page has.
    for (
      let all = reading;
      arrange(all.data ?? []).length <= (next - 1) * PAGE && all.hasNextPage && all.fetchNextPage;
    )
      all = await all.fetchNextPage();
    state.setPage(next);
  };
  const save = async () => {
    let all = reading;
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

  const pager = { first, count: here.length, total, page, hasNext, isBusy: reading.isFetchingNextPage ?? false, goTo };
  const isEmpty = data !== undefined && rows.length === 0 && !isNarrowed;
  return (
    <Stack gap="xs">
      {(search || filters) && !isEmpty && (
        <TableToolbar
          label={label}
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
      <Loaded reading={reading} outline={<TableOutline label={label} columns={shown} rows={outlineRows} />}>
        {() => {
          if (isEmpty) return empty;
          if (rows.length === 0) {
            return (
              <Empty icon={<IconSearch size={32} aria-hidden />} action={<ClearButton onClear={clear} />}>
                Nothing matches.
              </Empty>
            );
          }
          return (
            <>
              <Paper withBorder className={classes.frame}>
                <TableBody
                  label={label}
                  columns={shown}
                  rows={here}
                  keyOf={keyOf}
                  state={state}
                  isServers={isServers}
                  selection={selection}
                />
              </Paper>
              <Pager {...pager} error={reading.isFetchNextPageError ? reading.error : undefined} />
            </>
          );
        }}
      </Loaded>
    </Stack>
  );
}
