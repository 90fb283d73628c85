import { useDebouncedValue } from '@mantine/hooks';
import { useSearchParams } from 'react-router';
import { useUrlChange } from '../../routing/url-state.ts';
import { nextSort, readSort, type Sort, writeSort } from './table-rows.ts';

export interface TableState {
  search: string;
  sort: Sort | undefined;
  /** Starts at 1. */
  page: number;
  setSearch: (text: string) => void;
  toggleSort: (by: string) => void;
  /** Undefined means default order. */
  setSort: (by: string, isDescending: boolean) => void;
  setPage: (page: number) => void;
}

/** Search, sort order and page of a table, kept in the URL; `name` distinguishes several tables. */
export function useTableState(name = ''): TableState {
  const [params] = useSearchParams();
  const change = useUrlChange();
  const key = (part: string) => (name ? `${name}.${part}` : part);
  const sort = readSort(params.get(key('sort')) ?? '');
  const changeSort = (next: Sort | undefined) => change({ [key('sort')]: writeSort(next), [key('page')]: undefined });
  return {
    search: params.get(key('q')) ?? '',
    sort,
    page: Math.max(1, Math.trunc(Number(params.get(key('page')))) || 1),
    setSearch: (text) => change({ [key('q')]: text, [key('page')]: undefined }),
    toggleSort: (by) => changeSort(nextSort(sort, by)),
    setSort: (by, isDescending) => changeSort(by ? { by, isDescending } : undefined),
    setPage: (page) => change({ [key('page')]: page > 1 ? String(page) : undefined }),
  };
}

interface ListQuery<By extends string> {
  search?: string;
  sort?: By;
  order?: 'asc' | 'desc';
}

/** The same as API parameters; a search text applies after the user stops typing. */
export function useListQuery<By extends string>(sorts: readonly By[], name?: string): ListQuery<By> {
  const { search, sort } = useTableState(name);
  const [typed] = useDebouncedValue(search.trim(), 300);
  const by = sorts.find((each) => each === sort?.by);
  return {
    ...(typed ? { search: typed } : {}),
    ...(by ? { sort: by, order: sort?.isDescending ? 'desc' : 'asc' } : {}),
  };
}
