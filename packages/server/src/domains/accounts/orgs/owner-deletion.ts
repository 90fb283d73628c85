import type { Ctx } from '../../../context.ts';
import { publish } from '../../../jobs/index.ts';
import { conflict } from '../../../kernel/errors.ts';
import { ownerDeleting } from '../accounts.events.ts';
import { lockOwner } from './orgs.store.ts';

/** Refuses to delete owners of apps or subscriptions: each of those deserves its own decision. */
export async function refuseOwners(ctx: Ctx, name: string, ownerIds: readonly string[]): Promise<void> {
  const possessions: string[] = [];
  // Locks the owners first: rows that refer to them by a foreign key then have to wait.
  for (const id of ownerIds) await lockOwner.first(ctx.db, { id });
  for (const ownerId of ownerIds) await publish(ctx, ownerDeleting, { ownerId, possessions });
  if (possessions.length === 0) return;
  const owned = possessions.join(' and ');
  throw conflict(`Can't delete ${name}, which still owns ${owned}. Delete or transfer them first.`);
}
