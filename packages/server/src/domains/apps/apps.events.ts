import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** A new app. */
export const appCreated = defineEvent('app.created', Type.Object({ appId: Type.String() }));

/** An app has another owner. */
export const appTransferred = defineEvent(
  'app.transferred',
  Type.Object({ appId: Type.String(), ownerId: Type.String() }),
);

/** Somebody is no longer a user of an app. */
export const appUserRemoved = defineEvent(
  'app_user.removed',
  Type.Object({ appId: Type.String(), userId: Type.String(), email: Type.String() }),
);

/** These users may do less than before, to one app or to several. */
export const appAccessLowered = defineEvent(
  'app_access.lowered',
  Type.Object({ userIds: Type.Array(Type.String()), appId: Type.Optional(Type.String()) }),
);

export const appEvents = [appCreated, appTransferred, appUserRemoved, appAccessLowered];
