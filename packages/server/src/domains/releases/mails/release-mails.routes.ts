import {
  releaseMails_askToUnsubscribe,
  releaseMails_get,
  releaseMails_set,
  releaseMails_unsubscribe,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { areMailsEnabled, setMailsEnabled, showUnsubscribePage, unsubscribe, unsubscribeUrl } from './release-mails.ts';

export const releaseMailRoutes = [
  route(releaseMails_get, async (ctx) => ({ is_wanted: await areMailsEnabled(ctx) })),
  route(releaseMails_set, async (ctx, { body }) => {
    await setMailsEnabled(ctx, body.is_wanted);
    return { is_wanted: body.is_wanted, unsubscribe_url: unsubscribeUrl(ctx, ctx.actor.user.id) };
  }),
  route(releaseMails_askToUnsubscribe, async (ctx, { query }) => showUnsubscribePage(ctx, query.token)),
  route(releaseMails_unsubscribe, (ctx, { query }) => unsubscribe(ctx, query.token)),
];
