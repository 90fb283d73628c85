import { announcementTypes, Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** An announcement was stored, for domains that distribute it in other ways. Not published for webhook tests. */
export const announced = defineEvent(
  'announcement.made',
  Type.Object({
    id: Type.String(),
    type: Type.Enum([...announcementTypes]),
    appId: Type.Optional(Type.String()),
    /** The organization of the event, or the owner of the app. */
    ownerId: Type.String(),
  }),
);

export const webhookEvents = [announced];
