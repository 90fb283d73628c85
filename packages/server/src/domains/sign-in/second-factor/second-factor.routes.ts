import {
  adminSecondFactor_delete,
  secondFactor_confirm,
  secondFactor_disable,
  secondFactor_get,
  secondFactor_renewCodes,
  secondFactor_start,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import {
  confirmSecondFactor,
  disableSecondFactor,
  getSecondFactor,
  removeLostFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from './second-factor.ts';

export const secondFactorRoutes = [
  route(secondFactor_get, async (ctx) => {
    const { enabledAt, recoveryCodesLeft, requiredFrom } = await getSecondFactor(ctx);
    return {
      is_enabled: enabledAt !== undefined,
      enabled_at: enabledAt === undefined ? undefined : toIso(enabledAt),
      recovery_codes_left: recoveryCodesLeft,
      required_from: requiredFrom === undefined ? undefined : toIso(requiredFrom),
    };
  }),
  route(secondFactor_start, (ctx, { body }) => startSecondFactor(ctx, body.password)),
  route(secondFactor_confirm, async (ctx, { body }) => ({ recovery_codes: await confirmSecondFactor(ctx, body.code) })),
  route(secondFactor_renewCodes, async (ctx, { body }) => ({ recovery_codes: await renewRecoveryCodes(ctx, body) })),
  route(secondFactor_disable, (ctx, { body }) => disableSecondFactor(ctx, body)),
  route(adminSecondFactor_delete, (ctx, { params }) => removeLostFactor(ctx, params.user_id)),
];
