import type { Ctx, Deps, UserCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { record } from '../../audit/index.ts';
import { unsubscribeLinks } from '../../mail/index.ts';
import type { ShownPage } from '../install/shown-page.ts';
import { deleteMailRefusal, findMailReader, findMailRefusal, insertMailRefusal } from './notifications.store.ts';
import { showUnsubscribed, showUnsubscribing } from './unsubscribe-page.ts';

const links = unsubscribeLinks('release-mails', '/v0.1/public/release_mails/unsubscribe');

export const unsubscribeUrl = links.urlFor;

export const areMailsEnabled = async ({ db, actor }: UserCtx): Promise<boolean> =>
  (await findMailRefusal.first(db, { userId: actor.user.id })) === undefined;

const saveMailsEnabled = (ctx: Ctx, userId: string, isEnabled: boolean): Promise<void> =>
  tx(ctx, async (ctx) => {
    // A deleted user receives no emails anyway.
    if (!(await findMailReader.first(ctx.db, { userId }))) return;
    if (isEnabled) await deleteMailRefusal.run(ctx.db, { userId });
    else await insertMailRefusal.run(ctx.db, { user_id: userId, refused_at: ctx.clock.now() });
    await record(ctx, 'release.set_mails', { kind: 'user', id: userId }, { after: { is_wanted: isEnabled } });
  });

export const setMailsEnabled = (ctx: UserCtx, isEnabled: boolean): Promise<void> =>
  saveMailsEnabled(ctx, ctx.actor.user.id, isEnabled);

/** Only shows a form: email programs open links before the recipient does. */
export function showUnsubscribePage(ctx: Deps, token: string): ShownPage {
  links.readUserId(ctx, token);
  return showUnsubscribing();
}

export async function unsubscribe(ctx: Ctx, token: string): Promise<ShownPage> {
  await saveMailsEnabled(ctx, links.readUserId(ctx, token), false);
  return showUnsubscribed();
}
