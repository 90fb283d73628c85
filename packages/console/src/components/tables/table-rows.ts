export interface Sort {
  by: string;
  isDescending: boolean;
}

type Text = string | number | undefined;

/** The part of a column that search and sorting use. */
export interface Sortable<Row> {
  /** Names the column in URLs and stored settings, so it must stay the same when the label changes. */
  id: string;
  label: string;
  /** Text for search, sorting and CSV files. */
  text?: (row: Row) => Text;
  /** Sort key in the API. */
  sort?: string;
}

/** "-created_at" means newest first. */
export const readSort = (text: string): Sort | undefined =>
  /^-?\w+$/.test(text) ? { by: text.replace(/^-/, ''), isDescending: text.startsWith('-') } : undefined;

export const writeSort = (sort: Sort | undefined): string | undefined =>
  sort && `${sort.isDescending ? '-' : ''}${sort.by}`;

/** Cycles through ascending, descending and unsorted. */
export function nextSort(sort: Sort | undefined, by: string): Sort | undefined {
  if (sort?.by !== by) return { by, isDescending: false };
  return sort.isDescending ? undefined : { by, isDescending: true };
}

export const sortName = ({ id, sort }: { id: string; sort?: string }): string => sort ?? id;

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Every typed word must occur in the row; ignores case and accents, as the server does. */
export function searchRows<Row>(rows: Row[], columns: Sortable<Row>[], search: string): Row[] {
  const terms = fold(search).split(/\s+/).filter(Boolean);
  if (terms.length === 0) return rows;
  return rows.filter((row) => {
    const text = fold(columns.map((column) => column.text?.(row) ?? '').join('\n'));
    return terms.every((term) => text.includes(term));
  });
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));

/** Rows without a value come last in both directions; equal rows keep their order. */
export function sortRows<Row>(rows: Row[], columns: Sortable<Row>[], sort: Sort | undefined): Row[] {
  const text = columns.find((column) => column.text && sortName(column) === sort?.by)?.text;
  if (!sort || !text) return rows;
  const sign = sort.isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: text(row) }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined);
      return sign * compare(a.value, b.value);
    })
    .map(({ row }) => row);
}
