import type { ReactNode } from 'react';
import type { Reading } from './loaded.tsx';
import type { Sortable } from './table-rows.ts';

export interface Column<Row> extends Sortable<Row> {
  cell: (row: Row) => ReactNode;
  /** The others share what is left. */
  width?: number | string;
  /** Buttons, at the end of the row; on a phone in its corner. */
  isActions?: boolean;
  /** Has as many lines as it needs; others are cut. */
  isWrapped?: boolean;
  /** Left out where there is little room. */
  isSecondary?: boolean;
  /** On a phone, whose rows have no head: with its label, or not at all. */
  onPhone?: 'label' | 'hidden';
}

/** Rows that can be chosen to do something to all of them. */
export interface Selection<Row> {
  selected: ReadonlySet<string>;
  onSelect: (keys: ReadonlySet<string>) => void;
  canSelect: (row: Row) => boolean;
  nameOf: (row: Row) => string;
}

/** A list that may be longer than what has been read of it. */
export interface Rows<Row> extends Reading<Row[]> {
  /** How many there are, where the API tells it. */
  total?: number;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  isFetchNextPageError?: boolean;
  fetchNextPage?: () => Promise<Rows<Row>>;
}

/** What narrows a list besides its search. */
export interface FilterBar {
  element: ReactNode;
  isAny: boolean;
  clear: () => void;
}

/** The server sorts by what it has a name for, the browser by whatever has a text. */
export const canSort = <Row>({ text, sort }: Sortable<Row>, isServers: boolean): boolean =>
  isServers ? sort !== undefined : text !== undefined;
