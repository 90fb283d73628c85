import type { Ctx, User } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';

/** Throws if a user whose password is right may not sign in with it, or not without a code of their second factor. */
export type PasswordRule = (ctx: Ctx, user: User, code: string | undefined) => Promise<void>;

/** Read by `accounts`, for every sign-in with a password and every request with HTTP Basic. */
export const passwordRules = defineExtensionPoint<PasswordRule>('password-rules');
