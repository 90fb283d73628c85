import { isBeyondRange, isInRange } from './binary-versions.ts';
import { isInRollout, isUnfinished } from './rollout.ts';

/** What the choice of an update looks at in a release. */
export interface Candidate {
  label: string;
  /** Versions of the binary that it is for. */
  range: string;
  packageHash: string;
  isDisabled: boolean;
  isMandatory: boolean;
  /** Per cent of devices; null is everybody. */
  rollout: number | null;
}

/** What a device says that it runs. */
export interface Running {
  /** Of the binary, in three parts. */
  version: string;
  label?: string | undefined;
  packageHash?: string | undefined;
  /** Any update will do, whatever the version of the binary. */
  isCompanion?: boolean | undefined;
}

/** Why a device gets what it gets. */
export type Reason = 'update' | 'no_releases' | 'all_disabled' | 'binary_too_new' | 'binary_too_old' | 'up_to_date';

/** What a device is told. */
export type Answer<R extends Candidate = Candidate> =
  | { reason: 'update'; release: R; isMandatory: boolean }
  | {
      reason: Exclude<Reason, 'update'>;
      /** The range of the newest release, if the binary is none of it. */
      range?: string;
      /** The newest release is for a newer binary. */
      needsNewerBinary: boolean;
      /** No release is for this binary, so that what came with it is all there is. */
      shouldRunBinary: boolean;
    };

/** What all devices that run the same are told, and, while a release goes to some only, what those are told instead. */
export interface Choice<R extends Candidate = Candidate> {
  everybody: Answer<R>;
  some?: { answer: Extract<Answer<R>, { reason: 'update' }>; rollout: number };
}

function choose<R extends Candidate>(history: readonly R[], running: Running, isRolloutLeftOut: boolean): Answer<R> {
  const { version, label, packageHash, isCompanion } = running;
  let hasReached = !label && !packageHash;
  let newest: R | undefined;
  let found: R | undefined;
  let isForced = false;
  for (let at = history.length - 1; at >= 0; at -= 1) {
    const release = history[at] as R;
    // The same package may have been released twice, so that the label tells more.
    hasReached ||= label ? release.label === label : release.packageHash === packageHash;
    if (release.isDisabled || (isRolloutLeftOut && isUnfinished(release.rollout))) continue;
    newest ??= release;
    if (!isCompanion && !isInRange(version, release.range)) continue;
    found ??= release;
    if (hasReached) break;
    if (release.isMandatory) {
      // Whoever skipped something mandatory must not skip what came after it.
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

/** What devices that run this get of a history, oldest release first. The same for all of them, so that it can be kept. */
export function chooseUpdate<R extends Candidate>(history: readonly R[], running: Running): Choice<R> {
  const answer = choose(history, running, false);
  if (answer.reason !== 'update' || !isUnfinished(answer.release.rollout)) return { everybody: answer };
  return { everybody: choose(history, running, true), some: { answer, rollout: answer.release.rollout } };
}

/** Which of the two one device gets: the same each time it asks. */
export const answerFor = <R extends Candidate>(
  { everybody, some }: Choice<R>,
  deviceId: string | undefined,
): Answer<R> => (some && isInRollout(deviceId, some.answer.release.label, some.rollout) ? some.answer : everybody);
