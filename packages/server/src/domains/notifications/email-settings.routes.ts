import {
  notifications_getAppEmailSettings,
  notifications_getUserEmailSettings,
  notifications_testUserEmail,
  notifications_unsubscribe,
  notifications_updateAppEmailSettings,
  notifications_updateUserEmailSettings,
} from '@mooring/contract';
import type { AppCtx, UserCtx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import {
  getAppSettings,
  getUserSettings,
  type ShownSettings,
  sendTestMail,
  unsubscribe,
  unsubscribeUrl,
  updateAppSettings,
  updateUserSettings,
} from './email-settings.ts';

const toWire = ({ actor, origin }: UserCtx, { isEnabled, settings }: ShownSettings) => ({
  request_id: origin?.requestId ?? '',
  enabled: isEnabled,
  userId: actor.user.id,
  settings,
});

const appToWire = (ctx: AppCtx & UserCtx, shown: ShownSettings) => ({
  ...toWire(ctx, shown),
  appId: ctx.app.id,
  user_enabled: shown.isUserEnabled,
});

export const emailSettingsRoutes = [
  route(notifications_getUserEmailSettings, async (ctx) => toWire(ctx, await getUserSettings(ctx))),
  route(notifications_updateUserEmailSettings, async (ctx, { body }) => ({
    ...toWire(ctx, await updateUserSettings(ctx, body)),
    unsubscribe_url: unsubscribeUrl(ctx, ctx.actor.user.id),
  })),
  route(notifications_getAppEmailSettings, async (ctx) => appToWire(ctx, await getAppSettings(ctx))),
  route(notifications_updateAppEmailSettings, async (ctx, { body }) =>
    appToWire(ctx, await updateAppSettings(ctx, body)),
  ),
  route(notifications_testUserEmail, async (ctx) => {
    const { email, isSent } = await sendTestMail(ctx);
    return { email, is_sent: isSent };
  }),
  route(notifications_unsubscribe, (ctx, { query }) => unsubscribe(ctx, query.token)),
];
