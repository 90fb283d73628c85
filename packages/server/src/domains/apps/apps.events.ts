import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

export const appCreated = defineEvent('app.created', Type.Object({ appId: Type.String() }));

/** An app has a new owner. */
export const appTransferred = defineEvent(
  'app.transferred',
  Type.Object({ appId: Type.String(), ownerId: Type.String() }),
);

/** A user was removed from an app. */
export const appUserRemoved = defineEvent(
  'app_user.removed',
  Type.Object({ appId: Type.String(), userId: Type.String(), email: Type.String() }),
);

/** The permissions of these users were reduced, on one or several apps. */
export const appAccessLowered = defineEvent(
  'app_access.lowered',
  Type.Object({ userIds: Type.Array(Type.String()), appId: Type.Optional(Type.String()) }),
);

export const appEvents = [appCreated, appTransferred, appUserRemoved, appAccessLowered];
