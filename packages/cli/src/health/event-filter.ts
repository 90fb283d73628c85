import { eventLevels, eventStatuses, eventTypes } from '@mooring/contract';
import { readTime } from '../arguments/times.ts';

/** Options that filter events. All of them must match. */
export const filterOptions = {
  subscription: {
    value: 'ID',
    summary: 'Show events as this subscription sees them (default: all events that you can read)',
  },
  service: { value: 'NAME', summary: 'Filter by service' },
  region: { value: 'NAME', summary: 'Filter by region' },
  type: { value: 'TYPE', summary: 'Filter by type', choices: eventTypes },
  status: { value: 'STATUS', summary: 'Filter by status', choices: eventStatuses },
  level: { value: 'LEVEL', summary: 'Filter by level', choices: eventLevels },
  since: {
    value: 'WHEN',
    summary: 'Only events updated since this date or time, or within a duration such as 12h or 7d',
  },
  filter: { value: 'FILTER', summary: 'Filter expression, such as "service eq \'Payments\' or priority lt 4"' },
} as const;

export interface FilterChoice {
  service?: string;
  region?: string;
  type?: string;
  status?: string;
  level?: string;
  since?: string;
  filter?: string;
}

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Combines the options into one `$filter`; undefined without any. */
export function buildFilter(choice: FilterChoice, now: number): string | undefined {
  const equals = { service: choice.service, region: choice.region, eventType: choice.type, status: choice.status };
  const since = readTime('--since', choice.since, { now, direction: -1 });
  const conditions = Object.entries({ ...equals, eventLevel: choice.level }).flatMap(([property, value]) =>
    value === undefined ? [] : [`${property} eq ${quoted(value)}`],
  );
  if (since) conditions.push(`lastUpdateTime ge ${since}`);
  if (choice.filter) conditions.push(conditions.length > 0 ? `(${choice.filter})` : choice.filter);
  return conditions.join(' and ') || undefined;
}
