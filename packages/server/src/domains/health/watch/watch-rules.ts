import { HOUR, MINUTE, toIso } from '../../../kernel/clock.ts';

/** State of one component of this server. */
export interface ComponentState {
  /** Start of the failure; reset once the component has been healthy long enough. */
  badSince?: number;
  reason?: string;
  goodSince?: number;
  /** Number of successful probes in a row. */
  goods?: number;
  /** The event about the failure, and how often it was opened. */
  trackingId?: string;
  isOpen?: boolean;
  openings?: number;
  toldAt?: number;
  resolvedAt?: number;
}

export interface Probed {
  at: number;
  /** Reason for the failure; absent if healthy. */
  reason?: string;
  /** Start of the failure, if earlier than the probe. */
  since?: number;
}

export type Act = 'open' | 'reopen' | 'update' | 'resolve';

export interface Step {
  state: ComponentState;
  act?: Act;
}

/**
 * A component has recovered after this time and two successful probes in a row. The time doubles with each reopening, so that a
 * flapping component keeps one event open.
 */
const QUIET = 2 * MINUTE;
const MAX_QUIET_MS = HOUR;
const REOPENS_WITHIN = 30 * MINUTE;
/** Minimum time between updates about a changed reason. */
const RETELL = 10 * MINUTE;

const toTrackingId = (component: string, at: number): string =>
  `Mooring-${component}-${toIso(at).slice(0, 16).replace(/[-:]/g, '')}`;

/** Returns the new state after a probe, and the action to publish. */
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
    const isNewReason = reason !== state.reason && at - (state.toldAt ?? 0) >= RETELL;
    return isNewReason ? { state: { ...state, reason, toldAt: at }, act: 'update' } : { state };
  }
  if (at - badSince < threshold) return { state: { ...state, reason } };
  const isAgain = state.resolvedAt !== undefined && badSince - state.resolvedAt < REOPENS_WITHIN;
  const opened = { ...state, reason, isOpen: true, toldAt: at, resolvedAt: undefined };
  return isAgain
    ? { state: { ...opened, openings: (state.openings ?? 1) + 1 }, act: 'reopen' }
    : { state: { ...opened, openings: 1, trackingId: toTrackingId(component, badSince) }, act: 'open' };
}

function takeGood(before: ComponentState, at: number): Step {
  if (before.badSince === undefined) return { state: before };
  const goodSince = before.goodSince ?? at;
  const goods = (before.goods ?? 0) + 1;
  const quiet = before.isOpen ? Math.min(MAX_QUIET_MS, QUIET * 2 ** ((before.openings ?? 1) - 1)) : QUIET;
  if (goods < 2 || at - goodSince < quiet) return { state: { ...before, goodSince, goods } };
  const { trackingId, openings, resolvedAt } = before;
  return before.isOpen
    ? { state: { trackingId, openings, resolvedAt: at, goodSince }, act: 'resolve' }
    : { state: { trackingId, openings, resolvedAt } };
}
