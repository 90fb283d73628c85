import { defineEvent } from '../../jobs/index.ts';

/** An app has another owner. */
export const appTransferred = defineEvent<{ appId: string; ownerId: string }>('app.transferred');

/** Somebody is no longer a user of an app. */
export const appUserRemoved = defineEvent<{ appId: string; userId: string; email: string }>('app_user.removed');
