import type { AppCtx } from '../../../context.ts';
import { inChunks } from '../../../db/chunks.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { sha256 } from '../../../kernel/crypto.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { issueChanged } from '../../webhooks/index.ts';
import type { CrashGroupsTable, State } from '../crashes.tables.ts';
import { cut } from '../reports/values.ts';
import { followGroups } from './groups.ts';
import { findGroupsOfVersions, saveAwaitedGroup, updateGroup } from './issues.store.ts';

/** As long as words of groups are kept here at least. */
const LONGEST = 512;

type Shown = Pick<CrashGroupsTable, 'version' | 'build' | 'exception_type' | 'class_name' | 'method' | 'message'>;

/** What another server and this one show alike of a group: its own key is made of frames that nobody is shown. */
export function shownKey({ version, build, exception_type, class_name, method, message }: Shown): string {
  const words = [exception_type, class_name, method, class_name || method ? '' : message];
  return sha256(JSON.stringify([version, build, ...words.map((text) => cut(text, LONGEST))]));
}

export interface AwaitedGroup extends Shown {
  state: State;
  annotation: string;
}

/**
 * Takes what was said of groups on another server: those that are here have it at once, the others when their first report
 * comes. Of several that look alike, the last counts.
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
      here.push(...(await findGroupsOfVersions(db, app.id, versions))),
    );
    const known = here.flatMap((group) => {
      const said = left.get(shownKey(group));
      return said ? { group, said } : [];
    });
    for (const { group, said } of known) {
      left.delete(shownKey(group));
      const [state, annotation] = [said.state, said.annotation || group.annotation];
      await updateGroup.run(db, { appId: app.id, id: group.id, state, annotation });
      if (state !== group.state) await publish(ctx, issueChanged, { appId: app.id, groupId: group.id });
    }
    for (const id of new Set(known.map(({ group }) => group.issue_id))) await followGroups(ctx, app.id, id);
    // An open one without a note is as any that comes.
    const waiting = [...left].filter(([, { state, annotation }]) => state !== 'open' || annotation !== '');
    for (const [key, { state, annotation }] of waiting)
      await saveAwaitedGroup.run(db, { app_id: app.id, key, state, annotation });
    const told = { applied: known.length, waiting: waiting.length };
    await record(ctx, 'crash_group.await', appSubject(app), { after: told });
    return told;
  });
