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
  /** Whom it is for, and of those, whom not: lines, as they are stored. */
  audiences: string;
  except?: string;
}

/** One that is kept until whoever waits for it has got it. */
export interface KeptChange extends HealthChange {
  id: string;
  /** Grows with every change. */
  version: number;
  at: number;
}

/** Tells everybody who remembers events, by the transaction that changes them. Last in a verb: its row is then locked. */
export async function announce(ctx: Ctx, changes: readonly HealthChange[]): Promise<void> {
  const version = (await nextVersion.first(ctx.db, { at: ctx.clock.now() }))?.version ?? 0;
  // An import of thousands costs nothing more where nobody waits.
  const isAwaited =
    (await findListener.first(ctx.db, { channel: CHANNEL })) !== undefined ||
    (await listOrgsAwaiting(ctx, 'healthEventChanged')).length > 0;
  if (!isAwaited) return;
  const changeIds: string[] = [];
  for (const change of changes) changeIds.push(await keepChange(ctx, change, version));
  await publish(ctx, healthChanged, { changeIds });
}

export async function keepChange(ctx: Ctx, { except = '', ...change }: HealthChange, version = 0): Promise<string> {
  const id = ctx.newId();
  await insertChange.run(ctx.db, { ...change, id, version, at: ctx.clock.now(), except });
  return id;
}

export const findChange = (ctx: Pick<Ctx, 'db'>, id: string): Promise<KeptChange | undefined> =>
  findChangeRow.first(ctx.db, { id });

/** Forgets changes, and with them all that was passed on of them. */
export const forgetChanges = (ctx: Ctx, before: number): Promise<number> =>
  tx(ctx, ({ db }) => deleteChanges.run(db, { before }));

/** Whether a reader learns of a change. */
export function concernsReader({ audiences }: Reader, change: Pick<KeptChange, 'audiences' | 'except'>): boolean {
  const has = (lines = '') => audiences === 'all' || fromLines(lines).some((audience) => audiences.has(audience));
  return has(change.audiences) && !(change.except && has(change.except));
}
