import { eventStatuses } from '@mooring/contract';
import { useMemo } from 'react';
import type { HealthEvent } from '../../api/health.ts';
import type { Preset } from '../../parts/filter.ts';
import { useFilters } from '../../parts/filters.tsx';
import { readRange } from '../../parts/time-range.ts';
import { buildFilter } from './build-filter.ts';
import { choicesOf, levelOrder, typeWords } from './event-words.ts';
import { regionsIn, servicesIn } from './known-names.ts';

const asChoices = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

const presets: Preset[] = [
  { label: 'Active now', values: { status: 'Active' } },
  { label: 'Critical, last 30 days', values: { level: 'Critical', since: '30d' } },
];

/** What the reader asks for, kept in the address; services and regions of known events are offered, others can be typed. */
export function useEventFilter(known: HealthEvent[], hasSince: boolean) {
  const services = useMemo(() => asChoices(servicesIn(known)), [known]);
  const regions = useMemo(() => asChoices(regionsIn(known)), [known]);
  const { values, bar } = useFilters(
    [
      { name: 'service', label: 'Service', kind: 'text', choices: services },
      { name: 'region', label: 'Region', kind: 'text', choices: regions },
      { name: 'type', label: 'Type', kind: 'choice', choices: choicesOf(typeWords) },
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
