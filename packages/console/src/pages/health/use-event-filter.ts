import { useDebouncedValue } from '@mantine/hooks';
import { useSearchParams } from 'react-router';
import { sinceDay } from '../../parts/since-day.ts';
import { buildFilter } from './build-filter.ts';

const names = ['service', 'region', 'type', 'status', 'level', 'since'] as const;
export type FilterName = (typeof names)[number];

/** What the reader asks for, kept in the address; texts count once the reader stops typing. */
export function useEventFilter() {
  const [params, setParams] = useSearchParams();
  const chosen = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<FilterName, string>;
  const change = (edit: (next: URLSearchParams) => void) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        edit(next);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const filter = buildFilter({
    service: chosen.service,
    region: chosen.region,
    eventType: chosen.type,
    status: chosen.status,
    eventLevel: chosen.level,
  });
  const [settled] = useDebouncedValue(filter, 300);
  return {
    chosen,
    filter: settled,
    since: sinceDay(chosen.since),
    isAny: names.some((name) => chosen[name]),
    choose: (name: FilterName, value: string | null) =>
      change((next) => (value ? next.set(name, value) : next.delete(name))),
    clear: () =>
      change((next) => {
        for (const name of names) next.delete(name);
      }),
  };
}

export type ChosenFilter = ReturnType<typeof useEventFilter>;
