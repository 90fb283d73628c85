import { DEFAULT_OVERLAP_HOURS } from '@mooring/contract';
import { wrongUsage } from '../framework/errors.ts';

/** How long a replaced key stays valid. */
export const overlapOption = {
  value: 'HOURS',
  summary: `Hours until the previous one expires (default ${DEFAULT_OVERLAP_HOURS}, which is 90 days)`,
} as const;

export function readOverlap(hours: string | undefined): number | undefined {
  if (hours === undefined) return undefined;
  const overlap = Number(hours);
  if (!Number.isInteger(overlap)) throw wrongUsage('--hours must be a whole number.');
  return overlap;
}
