import Type from 'typebox';
import { defineEvent } from '../../jobs/index.ts';

/** Devices get another update from now on. */
export const codepushReleased = defineEvent(
  'codepush.released',
  Type.Object({ appId: Type.String(), deploymentId: Type.String(), label: Type.String(), method: Type.String() }),
);

export const codepushEvents = [codepushReleased];
