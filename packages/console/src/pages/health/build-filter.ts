/** What a reader chose; empty where they do not mind. */
export interface EventFilter {
  service: string;
  region: string;
  eventType: string;
  status: string;
  eventLevel: string;
}

const properties = ['service', 'region', 'eventType', 'status', 'eventLevel'] as const;

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** The `$filter` that asks the API for the same. */
export const buildFilter = (filter: EventFilter): string =>
  properties
    .map((property) => ({ property, value: filter[property].trim() }))
    .filter(({ value }) => value)
    .map(({ property, value }) => `${property} eq ${quoted(value)}`)
    .join(' and ');
