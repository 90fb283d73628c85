import { API_TOKENS_PER_ACCOUNT, server_get, server_setUp } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { completeSetup, isSetupRequired } from './sessions/setup.ts';
import { userToWire } from './users/users.routes.ts';

export const serverRoutes = [
  route(server_get, async (ctx) => ({
    version: ctx.program.version,
    setup_required: await isSetupRequired(ctx),
    open_sign_up: ctx.config.openSignUp,
    sends_mail: ctx.config.smtpUrl !== undefined,
    retirement_date: ctx.config.retirementDate,
    limits: {
      requests_per_minute: ctx.config.rateLimit,
      body_bytes: ctx.config.bodyLimit,
      header_bytes: ctx.config.headerLimit,
      request_seconds: ctx.config.requestTimeout,
      api_tokens_per_account: API_TOKENS_PER_ACCOUNT,
    },
  })),
  route(server_setUp, async (ctx, { body: { setup_token, display_name, ...person } }, reply) => {
    const { user, secret, expiresAt } = await completeSetup(ctx, {
      ...person,
      setupToken: setup_token,
      displayName: display_name,
    });
    reply.setSession(secret, expiresAt);
    return userToWire(user);
  }),
];
