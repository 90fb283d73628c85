import type { AppCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { inChunks } from '../../../db/rows/chunks.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { sha256 } from '../../../kernel/crypto/crypto.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { issueChanged } from '../crashes.events.ts';
import type { CrashGroupsTable, State } from '../crashes.tables.ts';
import { cut } from '../reports/values.ts';
import { followGroups } from './groups.ts';
import { findGroupsByVersions, saveAwaitedGroup, updateGroup } from './issues.store.ts';

/** Other servers store at least this many characters. */
const MAX_TEXT_LENGTH = 512;

type Shown = Pick<CrashGroupsTable, 'version' | 'build' | 'exception_type' | 'class_name' | 'method' | 'message'>;

/** A key from properties that both servers show: grouping keys are based on frames, which are not visible. */
export function shownKey({ version, build, exception_type, class_name, method, message }: Shown): string {
  const texts = [exception_type, class_name, method, class_name || method ? '' : message];
  return sha256(JSON.stringify([version, build, ...texts.map((text) => cut(text, MAX_TEXT_LENGTH))]));
}

export interface AwaitedGroup extends Shown {
  state: State;
  annotation: string;
}

/**
 * Imports states and notes of groups from another server. Existing groups get them now, others with their first report. Of
 * several groups with the same visible properties, the last wins.
 */
export const awaitGroups = (
  ctx: AppCtx,
  awaited: readonly AwaitedGroup[],
): Promise<{ applied: number; waiting: number }> =>
  tx(ctx, async (ctx) => {
    const { db, app } = ctx;
    await lock(ctx, 'crash-reports', app.id);
    const left = new Map(awaited.map((group) => [shownKey(group), group]));
    const here: CrashGroupsTable[] = [];
    await inChunks([...new Set(awaited.map(({ version }) => version))], async (versions) =>
      here.push(...(await findGroupsByVersions(db, app.id, versions))),
    );
    const known = here.flatMap((group) => {
      const imported = left.get(shownKey(group));
      return imported ? { group, imported } : [];
    });
    for (const { group, imported } of known) {
      left.delete(shownKey(group));
      const [state, annotation] = [imported.state, imported.annotation || group.annotation];
      await updateGroup.run(db, { appId: app.id, id: group.id, state, annotation });
      if (state !== group.state) await publish(ctx, issueChanged, { appId: app.id, groupId: group.id });
    }
    for (const id of new Set(known.map(({ group }) => group.issue_id))) await followGroups(ctx, app.id, id);
    // An open group without a note needs no entry.
    const waiting = [...left].filter(([, { state, annotation }]) => state !== 'open' || annotation !== '');
    for (const [key, { state, annotation }] of waiting)
      await saveAwaitedGroup.run(db, { app_id: app.id, key, state, annotation });
    const result = { applied: known.length, waiting: waiting.length };
    await record(ctx, 'crash_group.await', appSubject(app), { after: result });
    return result;
  });
