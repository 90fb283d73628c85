import { appSecrets_endFormer, appSecrets_get, appSecrets_rotate, USUAL_OVERLAP_HOURS } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { type AppSecrets, endFormerSecrets, getAppSecrets, rotateAppSecret } from './app-secrets.ts';

const toWire = ({ secret, former }: AppSecrets) => ({
  app_secret: secret,
  former: former.map(({ secret, endsAt }) => ({ app_secret: secret, ends_at: toIso(endsAt) })),
});

export const appSecretRoutes = [
  route(appSecrets_get, async (ctx) => toWire(await getAppSecrets(ctx))),
  route(appSecrets_rotate, async (ctx, { body: { overlap_hours = USUAL_OVERLAP_HOURS, app_secret } }) =>
    toWire(await rotateAppSecret(ctx, { overlapHours: overlap_hours, given: app_secret })),
  ),
  route(appSecrets_endFormer, (ctx) => endFormerSecrets(ctx)),
];
