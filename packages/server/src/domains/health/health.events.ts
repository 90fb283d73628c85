import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** Health events were published, changed, resolved or withdrawn; `events/changes.ts` stores the details. */
export const healthChanged = defineEvent('health_event.changed', Type.Object({ changeIds: Type.Array(Type.String()) }));

export const healthEvents = [healthChanged];

/** The channel of the webhooks for health events. */
export const CHANNEL = 'health';
