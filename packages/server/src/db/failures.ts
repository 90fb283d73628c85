import { conflict, type Failure, unavailable } from '../kernel/errors.ts';
import { isDiskFull, isReferenceGone, isUnavailable, isUnwritable } from './portable.ts';

const diskFull = "Nothing was changed: the server's disk is full. Ask an administrator to free space, then retry.";
const takesNothing =
  "Nothing was changed: the server can't write to its disk. Ask an administrator to check its free space, then retry.";

/** Maps database errors that the caller can act on. */
export function databaseFailure(error: unknown): Failure | undefined {
  if (isReferenceGone(error)) return conflict('A resource in this request was just deleted. Refresh and retry.');
  if (isDiskFull(error)) return unavailable(diskFull);
  if (isUnwritable(error)) return unavailable(takesNothing);
  if (isUnavailable(error)) return unavailable('The database is unavailable. Retry in a moment.');
  return undefined;
}
