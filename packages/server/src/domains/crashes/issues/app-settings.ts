import type { Deps } from '../../../context.ts';
import { GROUPING_VERSION } from '../grouping/grouping-key.ts';
import type { GroupingRule } from '../grouping/rules.ts';
import { findApp, insertApp } from './issues.store.ts';

/** What an app has chosen for its crashes. */
export interface CrashSettings {
  rules: readonly GroupingRule[];
  /** What the server says, or fewer. */
  retentionDays: number;
}

export const readRules = (json: string): GroupingRule[] => JSON.parse(json) as GroupingRule[];

export async function readSettings({ db, config }: Pick<Deps, 'db' | 'config'>, appId: string): Promise<CrashSettings> {
  const row = await findApp.first(db, { appId });
  const most = config.crashesRetentionDays;
  return { rules: row ? readRules(row.rules) : [], retentionDays: Math.min(row?.retention_days || most, most) };
}

/** In a transaction: makes sure that there is a row for the app. */
export const ensureApp = ({ db }: Pick<Deps, 'db'>, appId: string): Promise<number> =>
  insertApp.run(db, {
    app_id: appId,
    rules: '[]',
    retention_days: 0,
    last_number: 0,
    grouping_version: GROUPING_VERSION,
  });
