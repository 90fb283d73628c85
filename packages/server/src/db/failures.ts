import { conflict, type Failure, unavailable } from '../kernel/errors.ts';
import { isOutOfRoom, isReferenceGone, isUnavailable } from './portable.ts';

const noRoom =
  'This server has no room left on its disk, so nothing was changed. Its operator has to make some; then try again.';

/** What a database refuses, as far as callers can do something about it. */
export function databaseFailure(error: unknown): Failure | undefined {
  if (isReferenceGone(error)) return conflict('What this is about was deleted by somebody else just now.');
  if (isOutOfRoom(error)) return unavailable(noRoom);
  if (isUnavailable(error)) return unavailable('The database cannot be reached just now; try again.');
  return undefined;
}
