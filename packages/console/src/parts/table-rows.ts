export interface Sort {
  by: string;
  isDescending: boolean;
}

type Text = string | number | undefined;

/** A column as far as its rows are searched and sorted by it. */
export interface Sortable<Row> {
  label: string;
  /** What is searched, sorted by, and written into a file. */
  text?: (row: Row) => Text;
  /** What the API calls it when it sorts by it. */
  sort?: string;
}

/** "-created_at" is newest first. */
export const readSort = (text: string): Sort | undefined =>
  /^-?\w+$/.test(text) ? { by: text.replace(/^-/, ''), isDescending: text.startsWith('-') } : undefined;

export const writeSort = (sort: Sort | undefined): string | undefined =>
  sort && `${sort.isDescending ? '-' : ''}${sort.by}`;

/** Up, down, and as it was. */
export function nextSort(sort: Sort | undefined, by: string): Sort | undefined {
  if (sort?.by !== by) return { by, isDescending: false };
  return sort.isDescending ? undefined : { by, isDescending: true };
}

export const sortName = ({ label, sort }: { label: string; sort?: string }): string =>
  sort ?? label.toLowerCase().replaceAll(/\W+/g, '_');

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Every word that was typed has to occur somewhere in the row; case and accents do not matter, as on the server. */
export function searchRows<Row>(rows: Row[], columns: Sortable<Row>[], search: string): Row[] {
  const words = fold(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = fold(columns.map((column) => column.text?.(row) ?? '').join('\n'));
    return words.every((word) => text.includes(word));
  });
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));

/** Rows without a value come last in either direction; equal ones keep their order. */
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
