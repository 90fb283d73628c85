import { isBeyondRange, isInRange } from './binary-versions.ts';
import { isInRollout, isUnfinished } from './rollout.ts';

/** Properties of a release that the selection depends on. */
export interface Candidate {
  label: string;
  /** Binary versions that it targets. */
  range: string;
  packageHash: string;
  isDisabled: boolean;
  isMandatory: boolean;
  /** Percentage of devices; null means all. */
  rollout: number | null;
}

/** The state of a device. */
export interface Running {
  /** Binary version in three parts. */
  version: string;
  label?: string | undefined;
  packageHash?: string | undefined;
  /** Accepts any update, regardless of the binary version. */
  isCompanion?: boolean | undefined;
}

/** The reason for a decision. */
export type Reason = 'update' | 'no_releases' | 'all_disabled' | 'binary_too_new' | 'binary_too_old' | 'up_to_date';

export type UpdateDecision<R extends Candidate = Candidate> =
  | { reason: 'update'; release: R; isMandatory: boolean }
  | {
      reason: Exclude<Reason, 'update'>;
      /** Range of the newest release, if it does not include the binary. */
      range?: string;
      /** The newest release targets a newer binary. */
      needsNewerBinary: boolean;
      /** No release targets this binary, so the device should run its built-in code. */
      shouldRunBinary: boolean;
    };

/** The decision for all devices in the same state, and the one for devices in an unfinished rollout. */
export interface Choice<R extends Candidate = Candidate> {
  everybody: UpdateDecision<R>;
  some?: { decision: Extract<UpdateDecision<R>, { reason: 'update' }>; rollout: number };
}

function choose<R extends Candidate>(
  history: readonly R[],
  running: Running,
  isRolloutLeftOut: boolean,
): UpdateDecision<R> {
  const { version, label, packageHash, isCompanion } = running;
  let isPastRunning = !label && !packageHash;
  let newest: R | undefined;
  let found: R | undefined;
  let isForced = false;
  for (let at = history.length - 1; at >= 0; at -= 1) {
    const release = history[at] as R;
    // A package may be released several times, so the label is more precise.
    isPastRunning ||= label ? release.label === label : release.packageHash === packageHash;
    if (release.isDisabled || (isRolloutLeftOut && isUnfinished(release.rollout))) continue;
    newest ??= release;
    if (!isCompanion && !isInRange(version, release.range)) continue;
    found ??= release;
    if (isPastRunning) break;
    if (release.isMandatory) {
      // Skipping a mandatory release makes later ones mandatory.
      isForced = true;
      break;
    }
  }
  const none = { needsNewerBinary: false, shouldRunBinary: !found };
  if (!newest) return { ...none, reason: history.length === 0 ? 'no_releases' : 'all_disabled' };
  if (found && found.packageHash !== packageHash)
    return { reason: 'update', release: found, isMandatory: isForced || found.isMandatory };
  if (isBeyondRange(version, newest.range))
    return { ...none, reason: found ? 'up_to_date' : 'binary_too_new', range: newest.range };
  if (!isInRange(version, newest.range))
    return { ...none, reason: found ? 'up_to_date' : 'binary_too_old', range: newest.range, needsNewerBinary: true };
  return { ...none, reason: 'up_to_date' };
}

/**
 * Selects the update for a state from the history, oldest release first. The result is the same for all devices, so it can
 * be cached.
 */
export function chooseUpdate<R extends Candidate>(history: readonly R[], running: Running): Choice<R> {
  const decision = choose(history, running, false);
  if (decision.reason !== 'update' || !isUnfinished(decision.release.rollout)) return { everybody: decision };
  return { everybody: choose(history, running, true), some: { decision, rollout: decision.release.rollout } };
}

/** The decision for one device, the same each time. */
export const getDeviceDecision = <R extends Candidate>(
  { everybody, some }: Choice<R>,
  deviceId: string | undefined,
): UpdateDecision<R> =>
  some && isInRollout(deviceId, some.decision.release.label, some.rollout) ? some.decision : everybody;
