/** Numbers at the start of a version: `1.10.2-beta` → 1, 10, 2. */
const parseNumbers = (version: string): number[] | undefined =>
  /^\d{1,15}(?:[.]\d{1,15}){0,9}(?![.\d])/.exec(version)?.[0].split('.').map(Number);

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares versions by number, and a release after its previews. Other text comes last, alphabetically. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseNumbers(a), parseNumbers(b)];
  if (!left || !right) return Number(!left) - Number(!right) || byText(a, b);
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  const isPreview = (version: string) => /^[\d.]+-/.test(version);
  return Number(isPreview(b)) - Number(isPreview(a)) || byText(a, b);
}
