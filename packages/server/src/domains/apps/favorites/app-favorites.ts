import { MAX_FAVORITE_APPS } from '@mooring/contract';
import type { AppCtx, UserCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { conflict } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { countFavorites, deleteFavorite, insertFavorite } from './app-favorites.store.ts';

type PersonInApp = AppCtx & UserCtx;

/** A favorite is personal, so the record is about the user. */
const getAuditSubject = ({ actor: { user } }: UserCtx) => ({ kind: 'user', id: user.id, name: user.name }) as const;

export const addFavorite = (ctx: PersonInApp): Promise<void> =>
  tx(ctx, async (ctx) => {
    const userId = ctx.actor.user.id;
    await lock(ctx, 'limits', `favorites ${userId}`);
    const added = await insertFavorite.run(ctx.db, {
      user_id: userId,
      app_id: ctx.app.id,
      created_at: ctx.clock.now(),
    });
    if (added === 0) return;
    if (Number((await countFavorites.first(ctx.db, { userId }))?.count ?? 0) > MAX_FAVORITE_APPS) {
      throw conflict(`You can have at most ${MAX_FAVORITE_APPS} favorite apps. Remove one first.`);
    }
    await record(ctx, 'user.add_favorite_app', getAuditSubject(ctx), { after: { app: ctx.app.name } });
  });

export const removeFavorite = (ctx: PersonInApp): Promise<void> =>
  tx(ctx, async (ctx) => {
    const removed = await deleteFavorite.run(ctx.db, { userId: ctx.actor.user.id, appId: ctx.app.id });
    if (removed > 0)
      await record(ctx, 'user.remove_favorite_app', getAuditSubject(ctx), { before: { app: ctx.app.name } });
  });
