import semver from 'semver';

/** Stores accept no longer versions, and the limit bounds parsing time. */
export const VERSION_MAX = 256;

const short = /^v?(\d+)(?:\.(\d+))?(?=[-+]|$)(.*)$/;

/** Normalizes a binary version: `1` becomes 1.0.0, and `1.2-beta` 1.2.0-beta. Undefined if it is not a version. */
export function readVersion(text: string): string | undefined {
  if (text.length > VERSION_MAX) return undefined;
  const trimmed = text.trim();
  const found = short.exec(trimmed);
  const full = found ? `${found[1]}.${found[2] ?? '0'}.0${found[3]}` : trimmed;
  return semver.valid(full) ?? undefined;
}

/** A version range such as `1.2.x`, `^1.0.0` or `*`, as written. Undefined if it is not a range. */
export function readRange(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > VERSION_MAX) return undefined;
  return semver.validRange(trimmed) === null ? undefined : trimmed;
}

/** A pre-release matches a range only if the range names one of the same version. */
export const isInRange = (version: string, range: string): boolean => semver.satisfies(version, range);

/** Returns whether a version is newer than all of a range. */
export const isBeyondRange = (version: string, range: string): boolean => semver.gtr(version, range);

/** Returns whether both ranges can apply to one device: they are equal, or one is a version in the other. */
export function doRangesMeet(one: string, other: string): boolean {
  if (semver.validRange(one) === semver.validRange(other)) return true;
  const isVersionIn = (version: string, range: string): boolean => {
    const exact = readVersion(version);
    return exact !== undefined && isInRange(exact, range);
  };
  return isVersionIn(one, other) || isVersionIn(other, one);
}
