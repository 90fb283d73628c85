import type { Pick, PickGroup } from '../layout/pick-list.tsx';

export interface Candidate extends Pick {
  /** Synonyms that users may search for. */
  keywords?: string;
}

const splitText = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** How well a text matches all terms: the whole text, its start, starts of words, or any part of it. 0 if it doesn't. */
export function scoreText(search: string, text: string): number {
  const [query, candidate] = [search.trim().toLowerCase(), text.toLowerCase()];
  if (query === '' || candidate === '') return 0;
  if (candidate === query) return 100;
  if (candidate.startsWith(query)) return 80;
  const terms = query.split(/\s+/);
  const parts = splitText(candidate);
  if (terms.every((term) => parts.some((part) => part.startsWith(term)))) return 60;
  return terms.every((term) => candidate.includes(term)) ? 40 : 0;
}

/** The label counts most, then other words for it, then the text beside it. */
export function score(search: string, { label, keywords = '', detail = '' }: Candidate): number {
  const byLabel = scoreText(search, label);
  if (byLabel > 0) return byLabel;
  const byKeyword = scoreText(search, keywords);
  if (byKeyword > 0) return byKeyword / 2;
  return scoreText(search, `${label} ${keywords} ${detail}`) > 0 ? 10 : 0;
}

/** Frequent use decides between matches of similar quality, and never lifts a weak match above a good one. */
const MAX_USES = 6;
const rank = (search: string, uses: ReadonlyMap<string, number>, candidate: Candidate): number =>
  score(search, candidate) + 3 * Math.min(uses.get(candidate.id) ?? 0, MAX_USES);

export interface RankedGroup extends PickGroup {
  picks: Candidate[];
  /** Found by the server, possibly by text that is not shown. */
  isFound?: boolean;
  /** Always at the end, even with the best match. */
  isLast?: boolean | undefined;
}

/** Matches of each group, best first, and groups by their best match; equal groups stay in order. */
export function rankGroups(search: string, groups: RankedGroup[], uses: ReadonlyMap<string, number>): PickGroup[] {
  return groups
    .map(({ heading, picks, isFound, isLast }) => {
      const scored = picks
        .map((pick) => ({ pick, points: rank(search, uses, pick), isMatch: score(search, pick) > 0 }))
        .filter(({ isMatch }) => isFound || isMatch)
        .sort((a, b) => b.points - a.points);
      return { heading, picks: scored.map(({ pick }) => pick), best: isLast ? -1 : (scored[0]?.points ?? 0) };
    })
    .sort((a, b) => b.best - a.best)
    .map(({ heading, picks }) => ({ heading, picks }));
}
