import type { KeptReport, KnownIssues } from '../../../context.ts';
import type { Stack } from '../stacks/stack.ts';
import { unpackJson } from './bodies.ts';
import { listBodies, pageReportsOfTime } from './reports.store.ts';
import { stackText } from './sent-stacks.ts';
import type { Fields } from './values.ts';

/** Reports that are kept, with their logs, for whoever takes all of them out. */
export const readReportsOfTime: KnownIssues['reportsOf'] = async ({ db }, appId, page) => {
  const rows = await pageReportsOfTime.all(db, { appId, ...page });
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const bodies = new Map((await listBodies(db, appId, ids)).map((body) => [body.report_id, body]));
  const kept: Omit<KeptReport, 'batch'>[] = [];
  for (const { id, install_id: installId, received_at: receivedAt, at, type } of rows) {
    const body = bodies.get(id);
    if (!body) continue;
    const stack = await unpackJson<Stack | null>(body.stack);
    const log = await unpackJson<Fields>(body.log);
    kept.push({ installId, receivedAt, at, type, log, stack: stack ? stackText(stack) : '' });
  }
  return kept;
};
