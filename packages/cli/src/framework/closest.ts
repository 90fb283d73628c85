/** How many letters must be added, removed or replaced to turn one word into the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The candidate that was probably meant, if any is near enough. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const bound = Math.max(2, Math.floor(word.length / 3));
  const near = candidates
    .map((candidate) => ({ candidate, far: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => far <= bound && far < candidate.length)
    .sort((a, b) => a.far - b.far);
  return near[0]?.candidate;
}

export function didYouMean(word: string, candidates: readonly string[], otherwise: string): string {
  const meant = closest(word, candidates);
  return meant ? `Did you mean "${meant}"?` : otherwise;
}
