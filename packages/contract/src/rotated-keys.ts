import { Type } from './type.ts';

/** 90 days: installed apps use the previous key until their users update. */
export const DEFAULT_OVERLAP_HOURS = 2160;
export const OVERLAP_HOURS_MAX = 8760;

/** For keys that are built into apps, and so can't change immediately. */
export const OverlapHours = Type.Integer({
  minimum: 0,
  maximum: OVERLAP_HOURS_MAX,
  description: `How many hours the previous key stays valid (default: ${DEFAULT_OVERLAP_HOURS}, 90 days).`,
});

export const previousKeys = {
  description: 'The previous keys that are still valid, the first to expire first.',
};
