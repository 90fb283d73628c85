/** Levenshtein distance of two words. */
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

/** The most similar candidate, if one is similar enough. */
export function closest(text: string, candidates: readonly string[]): string | undefined {
  const bound = Math.max(2, Math.floor(text.length / 3));
  const near = candidates
    .map((candidate) => ({ candidate, far: distance(text.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => far <= bound && far < candidate.length)
    .sort((a, b) => a.far - b.far);
  return near[0]?.candidate;
}

export function didYouMean(text: string, candidates: readonly string[], otherwise: string): string {
  const candidate = closest(text, candidates);
  return candidate ? `Did you mean "${candidate}"?` : otherwise;
}
