import semver from 'semver';

/** Longer ones no store takes, and reading one must not take long. */
export const VERSION_MAX = 256;

const short = /^v?(\d+)(?:\.(\d+))?(?=[-+]|$)(.*)$/;

/**
 * The version of a binary as a device says it, in three parts: `1` is 1.0.0, and `1.2-beta` is 1.2.0-beta. Undefined if it is
 * no version.
 */
export function readVersion(text: string): string | undefined {
  if (text.length > VERSION_MAX) return undefined;
  const given = text.trim();
  const found = short.exec(given);
  const full = found ? `${found[1]}.${found[2] ?? '0'}.0${found[3]}` : given;
  return semver.valid(full) ?? undefined;
}

/** A range of versions such as `1.2.x`, `^1.0.0` or `*`, as it was written. Undefined if it is none. */
export function readRange(text: string): string | undefined {
  const given = text.trim();
  if (given === '' || given.length > VERSION_MAX) return undefined;
  return semver.validRange(given) === null ? undefined : given;
}

/** Pre-releases belong to a range only if it names one of the same version. */
export const isInRange = (version: string, range: string): boolean => semver.satisfies(version, range);

/** Whether a version is newer than all of a range. */
export const isBeyondRange = (version: string, range: string): boolean => semver.gtr(version, range);

/** Whether an update for one range may be on a device that gets one for the other: they are the same, or one is a version of the other. */
export function doRangesMeet(one: string, other: string): boolean {
  if (semver.validRange(one) === semver.validRange(other)) return true;
  const isVersionIn = (version: string, range: string): boolean => {
    const exact = readVersion(version);
    return exact !== undefined && isInRange(exact, range);
  };
  return isVersionIn(one, other) || isVersionIn(other, one);
}
