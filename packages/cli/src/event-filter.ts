import { eventLevels, eventStatuses, eventTypes } from '@mooring/contract';
import { readTime } from './times.ts';

/** How a command is told which events are meant; all that is given must hold. */
export const filterOptions = {
  subscription: { value: 'ID', summary: 'As this subscription sees them, instead of all that you may read' },
  service: { value: 'NAME', summary: 'Only of this service' },
  region: { value: 'NAME', summary: 'Only in this region' },
  type: { value: 'TYPE', summary: 'Only of this type', choices: eventTypes },
  status: { value: 'STATUS', summary: 'Only with this status', choices: eventStatuses },
  level: { value: 'LEVEL', summary: 'Only of this level', choices: eventLevels },
  since: { value: 'WHEN', summary: 'Only updated from this date or time on, or from a span ago such as 12h or 7d' },
  filter: { value: 'FILTER', summary: 'In the words of the API, such as "service eq \'Mail\' or priority lt 4"' },
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

/** One `$filter` that says all of it; nothing when all events are meant. */
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
