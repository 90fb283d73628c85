import type { AppCtx } from '../../../../context.ts';
import { countProperties, countTypes, countValues, type ValueColumn } from './search-values.store.ts';

const MAX_VALUES = 50;

/** PostgreSQL returns counts as bigint. */
const counted = <Row extends { count: number }>(rows: Row[]): Row[] =>
  rows.map((row) => ({ ...row, count: Number(row.count) }));

/** Search suggestions from the newest reports, most frequent first. */
export async function listSearchValues({ db, app }: Pick<AppCtx, 'db' | 'app'>) {
  const top = async (column: ValueColumn) => counted(await countValues(db, app.id, column, MAX_VALUES));
  return {
    exceptionType: counted(await countTypes(db, app.id, MAX_VALUES)),
    appVersion: await top('version'),
    deviceName: await top('model'),
    osVersion: await top('os_version'),
    country: await top('country'),
    property: counted(await countProperties(db, app.id, MAX_VALUES)),
  };
}
