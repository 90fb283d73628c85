import type { AppCtx } from '../../../context.ts';
import { countProperties, countTypes, countValues, type ValueColumn } from './search-values.store.ts';

const MOST = 50;

/** PostgreSQL counts further than a number can. */
const counted = <Row extends { count: number }>(rows: Row[]): Row[] =>
  rows.map((row) => ({ ...row, count: Number(row.count) }));

/** What the newest reports can be searched by: what most of them have comes first. */
export async function listSearchValues({ db, app }: Pick<AppCtx, 'db' | 'app'>) {
  const top = async (column: ValueColumn) => counted(await countValues(db, app.id, column, MOST));
  return {
    exceptionType: counted(await countTypes(db, app.id, MOST)),
    appVersion: await top('version'),
    deviceName: await top('model'),
    osVersion: await top('os_version'),
    country: await top('country'),
    property: counted(await countProperties(db, app.id, MOST)),
  };
}
