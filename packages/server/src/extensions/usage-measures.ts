import type { MeasureName } from '@mooring/contract';
import type { Ctx } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';

/** Counts the usage of some apps: now, or within a time range. May omit apps without usage. */
export interface UsageMeasure {
  name: MeasureName;
  count(
    ctx: Ctx,
    appIds: readonly string[],
    time: { from: number; until: number },
  ): Promise<ReadonlyMap<string, number>>;
}

/** Read by the domain `usage`. */
export const usageMeasures = defineExtensionPoint<UsageMeasure>('usage-measures');
