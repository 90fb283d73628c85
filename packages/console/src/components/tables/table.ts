import type { ReactNode } from 'react';
import type { QueryState } from '../feedback/query-boundary.tsx';
import type { Sortable } from './table-rows.ts';

export interface Column<Row> extends Sortable<Row> {
  cell: (row: Row) => ReactNode;
  /** Columns without a width share the remaining space. */
  width?: number | string;
  /** Action buttons: at the end of the row, on phones in its corner. */
  isActions?: boolean;
  /** Aligned at the end, with digits of equal width. */
  isNumber?: boolean;
  /** Wraps its text; other columns truncate. */
  isWrapped?: boolean;
  /** Hidden on narrow screens. */
  isSecondary?: boolean;
  /** On phones: with its label, or hidden. */
  mobileDisplay?: 'label' | 'hidden';
}

/** Rows can be selected for bulk actions. */
export interface Selection<Row> {
  selected: ReadonlySet<string>;
  onSelect: (keys: ReadonlySet<string>) => void;
  canSelect: (row: Row) => boolean;
  rowName: (row: Row) => string;
}

/** A list that may have further pages. */
export interface Rows<Row> extends QueryState<Row[]> {
  /** Total number, if the API counts. */
  total?: number;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  isFetchNextPageError?: boolean;
  fetchNextPage?: () => Promise<Rows<Row>>;
}

/** Filters in addition to the search. */
export interface FilterBar {
  element: ReactNode;
  isAny: boolean;
  clear: () => void;
}

/** The server sorts columns with an API sort key, the browser those with a text. */
export const canSort = <Row>({ text, sort }: Sortable<Row>, isServers: boolean): boolean =>
  isServers ? sort !== undefined : text !== undefined;
