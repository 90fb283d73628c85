/** Selected filters; empty fields match everything. */
export interface EventFilter {
  service: string;
  region: string;
  eventType: string;
  status: string;
  eventLevel: string;
}

const properties = ['service', 'region', 'eventType', 'status', 'eventLevel'] as const;

export const noFilter: EventFilter = { service: '', region: '', eventType: '', status: '', eventLevel: '' };

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Builds the API's `$filter`. */
export const buildFilter = (filter: EventFilter): string =>
  properties
    .map((property) => ({ property, value: filter[property].trim() }))
    .filter(({ value }) => value)
    .map(({ property, value }) => `${property} eq ${quoted(value)}`)
    .join(' and ');

const term = /^(\w+) eq '((?:[^']|'')*)'(?: and |$)/;

/** Parses a `$filter` into selections; undefined if it can't be expressed by them. */
export function readFilter(text: string): EventFilter {
  const filter = { ...noFilter };
  for (let rest = text; rest; ) {
    const [match = '', property = '', value = ''] = term.exec(rest) ?? [];
    if (!Object.hasOwn(filter, property)) return noFilter;
    filter[property as keyof EventFilter] = value.replaceAll("''", "'");
    rest = rest.slice(match.length);
  }
  return buildFilter(filter) === text ? filter : noFilter;
}
