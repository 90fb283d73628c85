import { SCIM_PAGE_MAX } from '@mooring/contract';

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const DEFAULT_COUNT = 100;
/** Positions above it are as good as the end. */
const MAX_INDEX = 10_000_000;

export interface ListRange {
  offset: number;
  limit: number;
}

export interface ListPage<T> {
  total: number;
  values: T[];
}

/** RFC 7644 reads a start below 1 as 1, and a negative count as 0. */
export const readRange = (query: { startIndex?: number; count?: number }): ListRange => ({
  offset: Math.min(Math.max(query.startIndex ?? 1, 1), MAX_INDEX) - 1,
  limit: Math.min(Math.max(query.count ?? DEFAULT_COUNT, 0), SCIM_PAGE_MAX),
});

export const toListResponse = <T>(resources: T[], { total, offset }: { total: number; offset: number }) => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
});
