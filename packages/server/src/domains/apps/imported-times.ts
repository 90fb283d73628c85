import { atLeast } from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { toIso } from '../../kernel/clock.ts';
import { badRequest, forbidden } from '../../kernel/errors.ts';

/** The first app stores for phones opened in 2008. */
const EARLIEST = Date.UTC(2008, 0, 1);

/** Checks a time from the client that replaces the current time, for releases imported from another server. */
export function checkImportedTime({ app, permission, clock }: AppCtx, field: string, time: number): void {
  if (!atLeast(permission, 'manager')) {
    throw forbidden(
      `${field} requires manager permission on ${app.ownerName}/${app.name}; you have ${permission}. Omit it to use the current time.`,
    );
  }
  if (!(time >= EARLIEST)) throw badRequest(`${field} is before ${toIso(EARLIEST)}. Send the time of the upload.`);
  if (time > clock.now()) throw badRequest(`${field} is in the future. Send the time of the upload.`);
}
