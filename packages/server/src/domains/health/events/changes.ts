import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { listOrgsAwaiting } from '../../webhooks/index.ts';
import { CHANNEL, healthChanged } from '../health.events.ts';
import { fromLines } from '../listing/facets.ts';
import type { Reader } from '../listing/listing.ts';
import { type ChangeRow, deleteChanges, findChangeRow, findListener, insertChange } from './changes.store.ts';
import { nextVersion } from './health-events.store.ts';

/** A change of a health event, after it is written. */
export interface HealthChange {
  kind: ChangeRow['kind'];
  name: string;
  /** The event after the change, or before it if it was withdrawn, as it is stored. */
  body: string;
  /** Audiences of the event, and audiences that do not receive this change: stored lines. */
  audiences: string;
  except?: string;
}

/** A change that is stored until webhooks and announcements have processed it. */
export interface StoredChange extends HealthChange {
  id: string;
  /** Increases with every change. */
  version: number;
  at: number;
}

/**
 * Stores the changes and invalidates cached events, in the caller's transaction. Call it last: it locks the version row.
 */
export async function announce(ctx: Ctx, changes: readonly HealthChange[]): Promise<void> {
  const version = (await nextVersion.first(ctx.db, { at: ctx.clock.now() }))?.version ?? 0;
  // Without webhooks, an import of thousands of events has no extra cost.
  const isAwaited =
    (await findListener.first(ctx.db, { channel: CHANNEL })) !== undefined ||
    (await listOrgsAwaiting(ctx, 'healthEventChanged')).length > 0;
  if (!isAwaited) return;
  const changeIds: string[] = [];
  for (const change of changes) changeIds.push(await saveChange(ctx, change, version));
  await publish(ctx, healthChanged, { changeIds });
}

export async function saveChange(ctx: Ctx, { except = '', ...change }: HealthChange, version = 0): Promise<string> {
  const id = ctx.newId();
  await insertChange.run(ctx.db, { ...change, id, version, at: ctx.clock.now(), except });
  return id;
}

export const findChange = (ctx: Pick<Ctx, 'db'>, id: string): Promise<StoredChange | undefined> =>
  findChangeRow.first(ctx.db, { id });

/** Deletes old changes together with their deliveries. */
export const deleteOldChanges = (ctx: Ctx, before: number): Promise<number> =>
  tx(ctx, ({ db }) => deleteChanges.run(db, { before }));

/** Checks whether a change concerns a reader. */
export function concernsReader({ audiences }: Reader, change: Pick<StoredChange, 'audiences' | 'except'>): boolean {
  const has = (lines = '') => audiences === 'all' || fromLines(lines).some((audience) => audiences.has(audience));
  return has(change.audiences) && !(change.except && has(change.except));
}
