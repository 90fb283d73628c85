import type { Ctx, User } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';

/** Finds the user with this name or email address and password, and the code of their second factor if they have one. */
export type PasswordCheck = (
  ctx: Ctx,
  login: string,
  password: string,
  code: string | undefined,
) => Promise<User | undefined>;

/** Read by `http/access/access.ts`, for endpoints that accept a name and password. */
export const passwordChecks = defineExtensionPoint<PasswordCheck>('password-checks');
