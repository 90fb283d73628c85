import { Type } from './type.ts';

/** 90 days: what is installed asks by the old key until its users update. */
export const USUAL_OVERLAP_HOURS = 2160;
export const OVERLAP_HOURS_MAX = 8760;

/** For keys that are built into apps, and so cannot change at once. */
export const OverlapHours = Type.Integer({
  minimum: 0,
  maximum: OVERLAP_HOURS_MAX,
  description: `How long the old one counts; ${USUAL_OVERLAP_HOURS} (90 days) if absent.`,
});

export const formerKeys = {
  description: 'Those that were replaced and still count, the one that ends first in front.',
};
