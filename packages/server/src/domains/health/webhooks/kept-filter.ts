import { badRequest } from '../../../kernel/errors.ts';
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
