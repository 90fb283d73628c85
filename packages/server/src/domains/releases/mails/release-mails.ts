import type { Ctx, Deps, UserCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { forbidden } from '../../../kernel/errors.ts';
import { signText, verifyText } from '../../../kernel/sealed.ts';
import { record } from '../../audit/index.ts';
import type { ShownPage } from '../install/shown-page.ts';
import { deleteMailRefusal, findMailReader, findMailRefusal, insertMailRefusal } from './notifications.store.ts';
import { showUnsubscribed, showUnsubscribing } from './unsubscribe-page.ts';

const PURPOSE = 'release-mails';

/** Works as long as the mail is kept: whoever finds it can end the mails, and nothing else. */
export const unsubscribeUrl = (ctx: Deps, userId: string): string =>
  `${ctx.publicUrl()}/v0.1/public/release_mails/unsubscribe?token=${userId}.${signText(ctx.secretKey, PURPOSE, userId)}`;

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

/** Whose mails a link ends. */
function readerOf(ctx: Deps, token: string): string {
  const [userId = '', signature = ''] = token.split('.');
  if (!verifyText(ctx.secretKey, PURPOSE, userId, signature)) {
    throw forbidden('This link is none of this server; switch the mails off in your account.');
  }
  return userId;
}

/** Only asks: programs open the links of mails, too, before anybody has read them. */
export function askToUnsubscribe(ctx: Deps, token: string): ShownPage {
  readerOf(ctx, token);
  return showUnsubscribing();
}

export async function unsubscribe(ctx: Ctx, token: string): Promise<ShownPage> {
  await setWanted(ctx, readerOf(ctx, token), false);
  return showUnsubscribed();
}
