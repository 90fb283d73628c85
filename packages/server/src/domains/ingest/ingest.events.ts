import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** All that an installation of an app, or a user of it, sent until then is to be deleted, by whoever keeps something of it. */
export const senderForgotten = defineEvent(
  'sender.forgotten',
  Type.Object({
    appId: Type.String(),
    kind: Type.Union([Type.Literal('install'), Type.Literal('user')]),
    /** The id, that of an installation in lower case. */
    value: Type.String(),
    /** When the last batch came that is meant. */
    until: Type.Integer(),
  }),
);

export const ingestEvents = [senderForgotten];
