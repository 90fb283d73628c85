import type { CiProvider } from '@mooring/contract';

/** `*` never matches these, so a pattern can't reach into another repository, branch folder or part of a subject. */
const SEPARATORS = /([/:])/;
const MAX_VALUE = 1000;

/** Compares one segment. Linear for patterns of people and quadratic at worst, unlike a regular expression. */
function matchesSegment(pattern: string, text: string): boolean {
  let [at, next, star, retry] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[next] === '*') {
      star = next;
      retry = at;
      next += 1;
    } else if (next < pattern.length && pattern[next] === text[at]) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      retry += 1;
      at = retry;
      next = star + 1;
    } else return false;
  }
  while (pattern[next] === '*') next += 1;
  return next === pattern.length;
}

/** In a pattern, `*` stands for any characters within a segment. Upper and lower case differ. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (text.length > MAX_VALUE) return false;
  const [expected, actual] = [pattern.split(SEPARATORS), text.split(SEPARATORS)];
  return expected.length === actual.length && expected.every((each, at) => matchesSegment(each, actual[at] ?? ''));
}

/** The text of a claim. Lists and objects never match. */
function readClaim(claims: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** True if the token has all claims, each with a value that its pattern allows. */
export const matchesClaims = (
  patterns: Readonly<Record<string, string>>,
  claims: Readonly<Record<string, unknown>>,
): boolean =>
  Object.entries(patterns).every(([name, pattern]) => {
    const value = readClaim(claims, name);
    return value !== undefined && matchesPattern(pattern, value);
  });

/** An owner without `*`, and a repository. */
const OWNED = /^[^*/:]+\/[^/:]/;

/** How each claim names one owner, so that a rule never matches the repositories of everyone. */
const owners: Readonly<Record<CiProvider, Readonly<Record<string, RegExp>>>> = {
  github: { repository: OWNED, repository_owner: /^[^*/:]+$/, sub: /^repo:[^*/:]+\/[^/:]/ },
  gitlab: { project_path: OWNED, namespace_path: /^[^*/:]+(\/|$)/, sub: /^project_path:[^*/:]+\/[^/:]/ },
};

/** True if a claim limits the rule to the repositories of one owner. */
export const namesOwner = (provider: CiProvider, patterns: Readonly<Record<string, string>>): boolean =>
  Object.entries(owners[provider]).some(
    ([name, owner]) => Object.hasOwn(patterns, name) && owner.test(patterns[name] ?? ''),
  );
