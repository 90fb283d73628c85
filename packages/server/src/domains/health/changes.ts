import type { Ctx } from '../../context.ts';
import { nextVersion } from './events.store.ts';

/** A change of health events, after it is written. */
export interface HealthChange {
  kind: 'published' | 'updated' | 'withdrawn';
  trackingId: string;
}

/** Tells everybody who remembers events, by the transaction that changes them. Last in a verb: its row is then locked. */
export async function announce(ctx: Ctx, _changes: readonly HealthChange[]): Promise<void> {
  await nextVersion.run(ctx.db);
}
