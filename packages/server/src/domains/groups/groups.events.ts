import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** A user joined a group, by accepting an invitation or because they already had access. */
export const groupJoined = defineEvent('group.joined', Type.Object({ groupId: Type.String(), userId: Type.String() }));

export const groupEvents = [groupJoined];
