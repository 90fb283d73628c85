import { HOUR, MINUTE, toIso } from '../../../kernel/clock.ts';

/** What is known of one component of this server. */
export interface ComponentState {
  /** Since when it has not been well for long enough to count as well. */
  badSince?: number;
  reason?: string;
  goodSince?: number;
  /** How many probes in a row were good. */
  goods?: number;
  /** The event that tells of it, and how often it was opened. */
  trackingId?: string;
  isOpen?: boolean;
  openings?: number;
  toldAt?: number;
  resolvedAt?: number;
}

export interface Probed {
  at: number;
  /** Why it is not well; nothing if it is. */
  reason?: string;
  /** When that was first seen, if earlier. */
  since?: number;
}

export type Act = 'open' | 'reopen' | 'update' | 'resolve';

export interface Step {
  state: ComponentState;
  act?: Act;
}

/** Well for this long, and twice in a row, is well; twice as long after each new opening, so that a component that comes and goes stays one open event. */
const QUIET = 2 * MINUTE;
const LONGEST_QUIET = HOUR;
const REOPENS_WITHIN = 30 * MINUTE;
/** Other reasons are told this often at most. */
const RETELL = 10 * MINUTE;

const nameOf = (component: string, at: number): string =>
  `Mooring-${component}-${toIso(at).slice(0, 16).replace(/[-:]/g, '')}`;

/** What a probe of a component changes, and what is to be told. */
export const takeProbe = (component: string, state: ComponentState, probed: Probed, threshold: number): Step =>
  probed.reason === undefined
    ? takeGood(state, probed.at)
    : takeBad(component, state, { ...probed, reason: probed.reason }, threshold);

function takeBad(
  component: string,
  before: ComponentState,
  { at, since = at, reason }: Probed & { reason: string },
  threshold: number,
): Step {
  const badSince = Math.min(before.badSince ?? since, since);
  const state = { ...before, badSince, goodSince: undefined, goods: 0 };
  if (state.isOpen) {
    const isNews = reason !== state.reason && at - (state.toldAt ?? 0) >= RETELL;
    return isNews ? { state: { ...state, reason, toldAt: at }, act: 'update' } : { state };
  }
  if (at - badSince < threshold) return { state: { ...state, reason } };
  const isAgain = state.resolvedAt !== undefined && badSince - state.resolvedAt < REOPENS_WITHIN;
  const opened = { ...state, reason, isOpen: true, toldAt: at, resolvedAt: undefined };
  return isAgain
    ? { state: { ...opened, openings: (state.openings ?? 1) + 1 }, act: 'reopen' }
    : { state: { ...opened, openings: 1, trackingId: nameOf(component, badSince) }, act: 'open' };
}

function takeGood(before: ComponentState, at: number): Step {
  if (before.badSince === undefined) return { state: before };
  const goodSince = before.goodSince ?? at;
  const goods = (before.goods ?? 0) + 1;
  const quiet = before.isOpen ? Math.min(LONGEST_QUIET, QUIET * 2 ** ((before.openings ?? 1) - 1)) : QUIET;
  if (goods < 2 || at - goodSince < quiet) return { state: { ...before, goodSince, goods } };
  const { trackingId, openings, resolvedAt } = before;
  return before.isOpen
    ? { state: { trackingId, openings, resolvedAt: at, goodSince }, act: 'resolve' }
    : { state: { trackingId, openings, resolvedAt } };
}
