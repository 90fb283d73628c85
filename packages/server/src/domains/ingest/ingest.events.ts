import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** All records of a data subject up to a time must be deleted by every domain that has any. */
export const erasureRequested = defineEvent(
  'sender.forgotten',
  Type.Object({
    appId: Type.String(),
    kind: Type.Union([Type.Literal('install'), Type.Literal('user')]),
    /** Value of the ID; of an installation in lower case. */
    value: Type.String(),
    /** Arrival of the last batch to include. */
    until: Type.Integer(),
  }),
);

export const ingestEvents = [erasureRequested];
