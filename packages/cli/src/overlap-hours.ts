import { USUAL_OVERLAP_HOURS } from '@mooring/contract';
import { wrongUsage } from './framework/errors.ts';

/** How long a key that was replaced counts still. */
export const overlapOption = {
  value: 'HOURS',
  summary: `How long the old one counts; ${USUAL_OVERLAP_HOURS} (90 days) if absent`,
} as const;

export function readOverlap(hours: string | undefined): number | undefined {
  if (hours === undefined) return undefined;
  const overlap = Number(hours);
  if (!Number.isInteger(overlap)) throw wrongUsage('--hours is a whole number.');
  return overlap;
}
