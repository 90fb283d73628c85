import { conflict, type Failure, unavailable } from '../kernel/errors.ts';
import { isOutOfRoom, isReferenceGone, isUnavailable, isUnwritable } from './portable.ts';

const noRoom =
  'This server has no room left on its disk, so nothing was changed. Its operator has to make some; then try again.';
const takesNothing =
  'The disk of this server takes nothing just now, so nothing was changed. Its operator has to look whether there is room on it; then try again.';

/** What a database refuses, as far as callers can do something about it. */
export function databaseFailure(error: unknown): Failure | undefined {
  if (isReferenceGone(error)) return conflict('What this is about was deleted by somebody else just now.');
  if (isOutOfRoom(error)) return unavailable(noRoom);
  if (isUnwritable(error)) return unavailable(takesNothing);
  if (isUnavailable(error)) return unavailable('The database cannot be reached just now; try again.');
  return undefined;
}
