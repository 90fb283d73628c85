import type { Db } from './handle.ts';
import { hasManyWriters, takeLock } from './portable.ts';
import { accessTo } from './statement.ts';

/** Critical sections of transactions that share no row to lock. */
export type LockName =
  | 'administrators'
  | 'alert-rules'
  | 'analytics-audiences'
  | 'analytics-charts'
  | 'analytics-parts'
  | 'app-secrets'
  | 'apps'
  | 'build-settings'
  | 'codepush-deployments'
  | 'crash-reports'
  | 'exports'
  | 'limits'
  | 'oauth-clients'
  | 'runner-limits'
  | 'signing-keys'
  | 'subscriptions'
  | 'symbols'
  | 'webhooks';

const { statement } = accessTo();

const take = statement((q, p: { key: string }) => q.selectNoFrom(takeLock(p.key).as('taken')));

/** Waits until no other transaction of any process holds this lock. The transaction's end releases it. */
export async function lock({ db }: { db: Db }, name: LockName, id = ''): Promise<void> {
  if (!db.inTransaction) throw new Error(`The lock ${name} needs a transaction`);
  if (hasManyWriters(db.dialect)) await take.first(db, { key: `${name} ${id}` });
}
