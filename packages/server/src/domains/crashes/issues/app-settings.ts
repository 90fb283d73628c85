import { Type } from '@mooring/contract';
import type { Deps } from '../../../context.ts';
import { jsonCodec, listOutline } from '../../../kernel/text/json-codec.ts';
import { GROUPING_VERSION } from '../grouping/grouping-key.ts';
import type { GroupingRule } from '../grouping/rules.ts';
import { findApp, insertApp } from './issues.store.ts';

const rulesCodec = jsonCodec('crash_apps.rules', listOutline<GroupingRule>(Type.Object({})));

/** Crash settings of an app. */
export interface CrashSettings {
  rules: readonly GroupingRule[];
  /** At most the server's retention. */
  retentionDays: number;
}

export const readRules = (json: string): GroupingRule[] => rulesCodec.parse(json);

export async function readSettings({ db, config }: Pick<Deps, 'db' | 'config'>, appId: string): Promise<CrashSettings> {
  const row = await findApp.first(db, { appId });
  const most = config.crashesRetentionDays;
  return { rules: row ? readRules(row.rules) : [], retentionDays: Math.min(row?.retention_days || most, most) };
}

/** Inserts the row of the app if it is missing. Call in a transaction. */
export const ensureApp = ({ db }: Pick<Deps, 'db'>, appId: string): Promise<number> =>
  insertApp.run(db, {
    app_id: appId,
    rules: '[]',
    retention_days: 0,
    last_number: 0,
    grouping_version: GROUPING_VERSION,
  });
