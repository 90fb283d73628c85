import type { UserCtx } from '../../../context.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { TRUSTED_ISSUER } from '../../identity/index.ts';
import { FilterProblem, parseFilter } from '../filter/filter.ts';

/** Maximum number of webhooks, and of feeds, per subscription. */
export const MAX_PER_SUBSCRIPTION = 20;

/** Validates a filter before it is stored; empty matches every event. */
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

/** The OAuth client of the caller, or the provider of an external token. */
export const getClientId = ({ actor: { credential } }: UserCtx): string | null =>
  credential.kind === 'oauth' ? (credential.clientId ?? TRUSTED_ISSUER) : null;
