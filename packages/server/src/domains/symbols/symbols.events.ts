import { Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** Symbols arrived, or are wanted again: reports that waited for them can be processed again. */
export const symbolsIndexed = defineEvent(
  'symbols.indexed',
  Type.Object({ appId: Type.String(), symbolIds: Type.Array(Type.String()) }),
);

export const symbolEvents = [symbolsIndexed];
