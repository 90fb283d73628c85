import type { Actor, Deps } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';

/** Throws if the person of a session has to confirm who they are before a sensitive operation. */
export type ConfirmationCheck = (deps: Deps, actor: Actor) => Promise<void>;

/** Read by `http/access/access.ts`, for endpoints with `confirms`. */
export const confirmationChecks = defineExtensionPoint<ConfirmationCheck>('confirmation-checks');
