import { announcementTypes } from '@mooring/contract';
import Type from 'typebox';
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

export const webhookEvents = [announced];
