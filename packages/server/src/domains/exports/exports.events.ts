import Type from 'typebox';
import { defineEvent } from '../../jobs/index.ts';

/** An export does not work any more, and somebody must look after it. */
export const exportFailed = defineEvent(
  'export.failed',
  Type.Object({ appId: Type.String(), configurationId: Type.String(), reason: Type.String() }),
);

export const exportEvents = [exportFailed];
