import { appSecrets_endFormer, appSecrets_get, appSecrets_rotate } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { DAY, HOUR, toIso } from '../../kernel/clock.ts';
import { type AppSecrets, endFormerSecrets, getAppSecrets, rotateAppSecret } from './app-secrets.ts';

/** People update their apps within a few months, if ever. */
const DEFAULT_OVERLAP = (90 * DAY) / HOUR;

const toWire = ({ secret, former }: AppSecrets) => ({
  app_secret: secret,
  former: former.map(({ secret, endsAt }) => ({ app_secret: secret, ends_at: toIso(endsAt) })),
});

export const appSecretRoutes = [
  route(appSecrets_get, async (ctx) => toWire(await getAppSecrets(ctx))),
  route(appSecrets_rotate, async (ctx, { body: { overlap_hours = DEFAULT_OVERLAP } }) =>
    toWire(await rotateAppSecret(ctx, { overlapHours: overlap_hours })),
  ),
  route(appSecrets_endFormer, (ctx) => endFormerSecrets(ctx)),
];
