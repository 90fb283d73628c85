import { appSecrets_endFormer, appSecrets_get, appSecrets_rotate, DEFAULT_OVERLAP_HOURS } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { type AppSecrets, endPreviousSecrets, getAppSecrets, rotateAppSecret } from './app-secrets.ts';

const toWire = ({ secret, previous }: AppSecrets) => ({
  app_secret: secret,
  former: previous.map(({ secret, endsAt }) => ({ app_secret: secret, ends_at: toIso(endsAt) })),
});

export const appSecretRoutes = [
  route(appSecrets_get, async (ctx) => toWire(await getAppSecrets(ctx))),
  route(appSecrets_rotate, async (ctx, { body: { overlap_hours = DEFAULT_OVERLAP_HOURS, app_secret } }) =>
    toWire(await rotateAppSecret(ctx, { overlapHours: overlap_hours, importedSecret: app_secret })),
  ),
  route(appSecrets_endFormer, (ctx) => endPreviousSecrets(ctx)),
];
