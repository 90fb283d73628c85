import {
  releaseMails_askToUnsubscribe,
  releaseMails_get,
  releaseMails_set,
  releaseMails_unsubscribe,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { areMailsWanted, askToUnsubscribe, setMailsWanted, unsubscribe, unsubscribeUrl } from './release-mails.ts';

export const releaseMailRoutes = [
  route(releaseMails_get, async (ctx) => ({ is_wanted: await areMailsWanted(ctx) })),
  route(releaseMails_set, async (ctx, { body }) => {
    await setMailsWanted(ctx, body.is_wanted);
    return { is_wanted: body.is_wanted, unsubscribe_url: unsubscribeUrl(ctx, ctx.actor.user.id) };
  }),
  route(releaseMails_askToUnsubscribe, async (ctx, { query }) => askToUnsubscribe(ctx, query.token)),
  route(releaseMails_unsubscribe, (ctx, { query }) => unsubscribe(ctx, query.token)),
];
