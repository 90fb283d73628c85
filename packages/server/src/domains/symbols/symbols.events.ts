import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** Symbols were uploaded, or are no longer ignored: reports that need them can be processed again. */
export const symbolsIndexed = defineEvent(
  'symbols.indexed',
  Type.Object({ appId: Type.String(), symbolIds: Type.Array(Type.String()) }),
);

export const symbolEvents = [symbolsIndexed];
