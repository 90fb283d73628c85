import { badRequest } from '../../../kernel/errors.ts';
import { checkBranch } from '../repositories/repository-urls.ts';

/** Branch names in git can't contain a star. */
export const isPattern = (name: string): boolean => name.includes('*');

/** A star matches any text, including none and slashes. Never slower than the product of both lengths, even with many stars. */
export function matchesPattern(pattern: string, branch: string): boolean {
  let [p, b, star, from] = [0, 0, -1, 0];
  while (b < branch.length) {
    if (pattern[p] === '*') {
      star = p;
      from = b;
      p += 1;
    } else if (pattern[p] === branch[b]) {
      p += 1;
      b += 1;
    } else if (star >= 0) {
      p = star + 1;
      from += 1;
      b = from;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}

const fixedLength = (pattern: string): number => pattern.replaceAll('*', '').length;

/** The matching pattern with the most literal characters; ties are resolved by name. */
export const closestPattern = <Row extends { branch: string }>(
  patterns: readonly Row[],
  branch: string,
): Row | undefined =>
  patterns
    .filter((row) => matchesPattern(row.branch, branch))
    .toSorted(
      (one, other) => fixedLength(other.branch) - fixedLength(one.branch) || (one.branch < other.branch ? -1 : 1),
    )[0];

/** Accepts branch names, and patterns that would be branch names with a letter for each star. */
export function checkConfigured(name: string): string {
  if (/\*\*/.test(name)) throw badRequest(`Use a single star in ${name.slice(0, 100)}: it also matches slashes.`);
  checkBranch(name.replaceAll('*', 'x'));
  return name;
}
