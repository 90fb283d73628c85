/** A lower percentage is an unfinished rollout. */
export const EVERYBODY = 100;

export const isUnfinished = (rollout: number | null): rollout is number => rollout !== null && rollout < EVERYBODY;

/** The place of a device in a rollout, from 0 to 99: constant for a release, different between releases. */
export function getBucket(deviceId: string, label: string): number {
  const text = `${deviceId}-${label}`;
  let hash = 0;
  // Only the shift is limited to 32 bits, as in the original CodePush server, so that devices keep their places.
  for (let at = 0; at < text.length; at += 1) hash = (hash << 5) - hash + text.charCodeAt(at);
  return Math.abs(hash) % EVERYBODY;
}

/** Devices without an ID are in no rollout, because they could not get a consistent result. */
export const isInRollout = (deviceId: string | undefined, label: string, rollout: number): boolean =>
  deviceId !== undefined && deviceId !== '' && getBucket(deviceId, label) < rollout;
