import { badRequest } from '../../kernel/errors.ts';
import { checkBranch } from './repository-urls.ts';

/** No branch of git has a star in its name. */
export const isPattern = (name: string): boolean => name.includes('*');

/** A star stands for any text, also for none and for slashes. Takes time by the length of both, however many stars there are. */
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

/** Of those that match, the one that says most of the name; of equals the first by name. */
export const closestPattern = <Row extends { branch: string }>(
  patterns: readonly Row[],
  branch: string,
): Row | undefined =>
  patterns
    .filter((row) => matchesPattern(row.branch, branch))
    .toSorted(
      (one, other) => fixedLength(other.branch) - fixedLength(one.branch) || (one.branch < other.branch ? -1 : 1),
    )[0];

/** What can be configured: a branch, or a pattern, which with a letter for each star could be the name of one. */
export function checkConfigured(name: string): string {
  if (/\*\*/.test(name)) throw badRequest(`One star is enough in ${name.slice(0, 100)}: it also stands for slashes.`);
  checkBranch(name.replaceAll('*', 'x'));
  return name;
}
