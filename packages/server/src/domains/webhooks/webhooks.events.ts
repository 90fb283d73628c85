import { announcementTypes, Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** Something was announced: domains above tell of it in their own ways. Tests of a webhook are not. */
export const announced = defineEvent(
  'announcement.made',
  Type.Object({
    id: Type.String(),
    type: Type.Enum([...announcementTypes]),
    appId: Type.Optional(Type.String()),
    /** The organization that it happened to, or the owner of the app. */
    ownerId: Type.String(),
  }),
);

/** Somebody opened, closed or ignored an issue of crashes. Nobody outside is told: what happened to the app was announced. */
export const issueChanged = defineEvent(
  'crash_issue.changed',
  Type.Object({
    appId: Type.String(),
    /** One of its groups. */
    groupId: Type.String(),
  }),
);

export const webhookEvents = [announced, issueChanged];
