import { adminUsers_resetPassword, passwordResets_create, passwordResets_use } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { createPasswordReset, requestPasswordReset, usePasswordResetLink } from './password-resets.ts';

export const passwordResetRoutes = [
  route(passwordResets_create, (ctx, { body }) => requestPasswordReset(ctx, body.email)),
  route(passwordResets_use, (ctx, { params, body }) =>
    usePasswordResetLink(ctx, params.reset_token, { password: body.new_password, revokesTokens: body.revoke_tokens }),
  ),
  route(adminUsers_resetPassword, async (ctx, { params }) => {
    const { link, expiresAt } = await createPasswordReset(ctx, params.user_id);
    return { link, expires_at: toIso(expiresAt) };
  }),
];
