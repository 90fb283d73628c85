import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** Health events were published, changed, resolved or withdrawn; `events/changes.ts` keeps what is known of each. */
export const healthChanged = defineEvent('health_event.changed', Type.Object({ changeIds: Type.Array(Type.String()) }));

export const healthEvents = [healthChanged];

/** The channel by which webhooks learn of them. */
export const CHANNEL = 'health';
