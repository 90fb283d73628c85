import { useDebouncedValue } from '@mantine/hooks';
import { useSearchParams } from 'react-router';
import { sinceDay } from '../../parts/since-day.ts';
import { buildFilter } from './build-filter.ts';

/** What each is called in the address. */
const keys = {
  service: 'service',
  region: 'region',
  eventType: 'type',
  status: 'status',
  eventLevel: 'level',
  since: 'since',
} as const;
type FilterName = keyof typeof keys;
const names = Object.keys(keys) as FilterName[];

/** What the reader asks for, kept in the address; texts count once the reader stops typing. */
export function useEventFilter() {
  const [params, setParams] = useSearchParams();
  const chosen = Object.fromEntries(names.map((name) => [name, params.get(keys[name]) ?? ''])) as Record<
    FilterName,
    string
  >;
  const change = (edit: (next: URLSearchParams) => void) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        edit(next);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const [settled] = useDebouncedValue(buildFilter(chosen), 300);
  return {
    chosen,
    filter: settled,
    since: sinceDay(chosen.since),
    isAny: names.some((name) => chosen[name]),
    choose: (name: FilterName, value: string | null) =>
      change((next) => (value ? next.set(keys[name], value) : next.delete(keys[name]))),
    clear: () =>
      change((next) => {
        for (const name of names) next.delete(keys[name]);
      }),
  };
}

export type ChosenFilter = ReturnType<typeof useEventFilter>;
