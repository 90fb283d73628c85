import Type from 'typebox';
import { defineEvent } from '../../jobs/index.ts';

/** Devices get another update from now on. */
export const codepushReleased = defineEvent(
  'codepush.released',
  Type.Object({ appId: Type.String(), deploymentId: Type.String(), label: Type.String(), method: Type.String() }),
);

/** Too many devices went back from a release. */
export const codepushHalted = defineEvent(
  'codepush.halted',
  Type.Object({
    appId: Type.String(),
    deploymentId: Type.String(),
    label: Type.String(),
    installed: Type.Integer(),
    failed: Type.Integer(),
  }),
);

export const codepushEvents = [codepushReleased, codepushHalted];
