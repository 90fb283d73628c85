import { eventStatuses } from '@mooring/contract';
import { useMemo } from 'react';
import type { HealthEvent } from '../../../api/health/health.ts';
import type { Preset } from '../../../components/filters/filter.ts';
import { useFilters } from '../../../components/filters/filters.tsx';
import { readRange } from '../../../components/filters/time-range.ts';
import { levelOrder, toChoices, typeLabels } from '../event-labels.ts';
import { regionsIn, servicesIn } from '../impact-names.ts';
import { buildFilter } from './build-filter.ts';

const asChoices = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

const presets: Preset[] = [
  { label: 'Active', values: { status: 'Active' } },
  { label: 'Critical, last 30 days', values: { level: 'Critical', since: '30d' } },
];

/** Filters kept in the URL, with suggestions from known events. */
export function useEventFilter(events: HealthEvent[], hasSince: boolean) {
  const services = useMemo(() => asChoices(servicesIn(events)), [events]);
  const regions = useMemo(() => asChoices(regionsIn(events)), [events]);
  const { values, bar } = useFilters(
    [
      { name: 'service', label: 'Service', kind: 'text', choices: services },
      { name: 'region', label: 'Region', kind: 'text', choices: regions },
      { name: 'type', label: 'Type', kind: 'choice', choices: toChoices(typeLabels) },
      { name: 'status', label: 'Status', kind: 'choice', choices: asChoices(eventStatuses) },
      { name: 'level', label: 'Level', kind: 'choice', choices: asChoices(levelOrder) },
      ...(hasSince ? [{ name: 'since', label: 'Updated', kind: 'time' as const, isOpenEnded: true }] : []),
    ],
    hasSince ? presets : presets.slice(0, 1),
  );
  const { service = '', region = '', type: eventType = '', status = '', level: eventLevel = '', since = '' } = values;
  return {
    service,
    region,
    filter: buildFilter({ service, region, eventType, status, eventLevel }),
    since: readRange(since, Date.now()).since,
    bar,
  };
}

export type ChosenFilter = ReturnType<typeof useEventFilter>;
