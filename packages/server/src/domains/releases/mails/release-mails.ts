import type { Ctx, Deps, UserCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { record } from '../../audit/index.ts';
import { unsubscribeLinks } from '../../mail/index.ts';
import type { ShownPage } from '../install/shown-page.ts';
import { deleteMailRefusal, findMailReader, findMailRefusal, insertMailRefusal } from './notifications.store.ts';
import { showUnsubscribed, showUnsubscribing } from './unsubscribe-page.ts';

const links = unsubscribeLinks('release-mails', '/v0.1/public/release_mails/unsubscribe');

export const unsubscribeUrl = links.urlFor;

export const areMailsWanted = async ({ db, actor }: UserCtx): Promise<boolean> =>
  (await findMailRefusal.first(db, { userId: actor.user.id })) === undefined;

const setWanted = (ctx: Ctx, userId: string, isWanted: boolean): Promise<void> =>
  tx(ctx, async (ctx) => {
    // Whoever is gone gets none anyway.
    if (!(await findMailReader.first(ctx.db, { userId }))) return;
    if (isWanted) await deleteMailRefusal.run(ctx.db, { userId });
    else await insertMailRefusal.run(ctx.db, { user_id: userId, refused_at: ctx.clock.now() });
    await record(ctx, 'release.set_mails', { kind: 'user', id: userId }, { after: { is_wanted: isWanted } });
  });

export const setMailsWanted = (ctx: UserCtx, isWanted: boolean): Promise<void> =>
  setWanted(ctx, ctx.actor.user.id, isWanted);

/** Only asks: programs open the links of mails, too, before anybody has read them. */
export function askToUnsubscribe(ctx: Deps, token: string): ShownPage {
  links.readerOf(ctx, token);
  return showUnsubscribing();
}

export async function unsubscribe(ctx: Ctx, token: string): Promise<ShownPage> {
  await setWanted(ctx, links.readerOf(ctx, token), false);
  return showUnsubscribed();
}
