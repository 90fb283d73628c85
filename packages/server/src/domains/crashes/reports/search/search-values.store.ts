import { sql } from 'kysely';
import type { Db } from '../../../../db/open.ts';
import { query } from '../../crashes.tables.ts';

export type ValueColumn = 'version' | 'model' | 'os_version' | 'country';

/** Limits the cost for apps with millions of reports. */
const NEWEST = 5000;

export const countValues = (db: Db, appId: string, column: ValueColumn, limit: number) =>
  query(db, (q) =>
    q
      .selectFrom(
        q
          .selectFrom('crash_reports')
          .select(`${column} as value`)
          .where('app_id', '=', appId)
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .limit(NEWEST)
          .as('newest'),
      )
      .select(['newest.value', sql<number>`count(*)`.as('count')])
      .where('newest.value', '<>', '')
      .groupBy('newest.value')
      .orderBy('count', 'desc')
      .orderBy('newest.value')
      .limit(limit),
  );

export const countTypes = (db: Db, appId: string, limit: number) =>
  query(db, (q) =>
    q
      .selectFrom(
        q
          .selectFrom('crash_reports')
          .select(['app_id', 'group_id'])
          .where('app_id', '=', appId)
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .limit(NEWEST)
          .as('newest'),
      )
      .innerJoin('crash_groups', (join) =>
        join.onRef('crash_groups.app_id', '=', 'newest.app_id').onRef('crash_groups.id', '=', 'newest.group_id'),
      )
      .select(['crash_groups.exception_type as value', sql<number>`count(*)`.as('count')])
      .where('crash_groups.exception_type', '<>', '')
      .groupBy('crash_groups.exception_type')
      .orderBy('count', 'desc')
      .orderBy('crash_groups.exception_type')
      .limit(limit),
  );

export const countProperties = (db: Db, appId: string, limit: number) =>
  query(db, (q) =>
    q
      .selectFrom(
        q
          .selectFrom('crash_reports')
          .select(['app_id', 'id'])
          .where('app_id', '=', appId)
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .limit(NEWEST)
          .as('newest'),
      )
      .innerJoin('crash_properties', (join) =>
        join
          .onRef('crash_properties.app_id', '=', 'newest.app_id')
          .onRef('crash_properties.report_id', '=', 'newest.id'),
      )
      .select(['crash_properties.name', 'crash_properties.value', sql<number>`count(*)`.as('count')])
      .groupBy(['crash_properties.name', 'crash_properties.value'])
      .orderBy('count', 'desc')
      .orderBy('crash_properties.name')
      .orderBy('crash_properties.value')
      .limit(limit),
  );
