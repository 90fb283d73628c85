import type { UserCtx } from '../../../context.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { TRUSTED_ISSUER } from '../../identity/index.ts';
import { FilterProblem, parseFilter } from '../filter/filter.ts';

/** How many webhooks, and how many feeds, a subscription may have. */
export const MOST_OF_A_SUBSCRIPTION = 20;

/** A filter to be kept: sound, or empty for every event. */
export function checkFilter(text = ''): string {
  if (text.trim() === '') return '';
  try {
    parseFilter(text);
    return text;
  } catch (error) {
    if (error instanceof FilterProblem) throw badRequest(`filter: ${error.message}`);
    throw error;
  }
}

/** By which OAuth client something is made, or by the provider of an outside token. */
export const clientOf = ({ actor: { credential } }: UserCtx): string | null =>
  credential.kind === 'oauth' ? (credential.clientId ?? TRUSTED_ISSUER) : null;
