import type { Ctx } from '../../../context.ts';
import { publish } from '../../../jobs/index.ts';
import { conflict } from '../../../kernel/errors.ts';
import { ownerDeleting } from '../accounts.events.ts';
import { lockOwner } from './orgs.store.ts';

/** What somebody owns is worth a decision each, so it is not deleted along with them. */
export async function refuseOwners(ctx: Ctx, name: string, ownerIds: readonly string[]): Promise<void> {
  const possessions: string[] = [];
  // Nobody gives them anything more from here on: what refers to them by a foreign key waits.
  for (const id of ownerIds) await lockOwner.first(ctx.db, { id });
  for (const ownerId of ownerIds) await publish(ctx, ownerDeleting, { ownerId, possessions });
  if (possessions.length === 0) return;
  const owned = possessions.join(' and ');
  throw conflict(`${name} still owns ${owned}; delete them or give them to another owner first.`);
}
