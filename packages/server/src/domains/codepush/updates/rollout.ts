/** Below it a release goes to some devices only. */
export const EVERYBODY = 100;

export const isUnfinished = (rollout: number | null): rollout is number => rollout !== null && rollout < EVERYBODY;

/** Where a device stands among a hundred for a release: always at the same place for the same one, elsewhere for the next. */
export function bucketOf(deviceId: string, label: string): number {
  const text = `${deviceId}-${label}`;
  let hash = 0;
  // NOTE: only the shift is cut to 32 bits, as in the server that devices come from: who was in a rollout there stays in it.
  for (let at = 0; at < text.length; at += 1) hash = (hash << 5) - hash + text.charCodeAt(at);
  return Math.abs(hash) % EVERYBODY;
}

/** Whoever does not say who they are is in no rollout: they could not be given the same answer twice. */
export const isInRollout = (deviceId: string | undefined, label: string, rollout: number): boolean =>
  deviceId !== undefined && deviceId !== '' && bucketOf(deviceId, label) < rollout;
