import type { Ctx } from '../../context.ts';
import { notFound } from '../../kernel/errors.ts';
import { findSettings } from './branch-configurations.ts';
import { findLastResult } from './builds.store.ts';

const looks = {
  succeeded: { word: 'passing', color: '#2b7a3d' },
  failed: { word: 'failing', color: '#c92a2a' },
  none: { word: 'not built', color: '#5b6873' },
} as const;

/** As wide as its words are at this size, about. */
const widthOf = (word: string): number => word.length * 7 + 12;

/** Nothing that somebody else has written stands in it. */
function draw({ word, color }: (typeof looks)[keyof typeof looks]): string {
  const label = 'build';
  const [left, right] = [widthOf(label), widthOf(word)];
  const text = (at: number, words: string) =>
    `<text x="${at}" y="14" text-anchor="middle" fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${words}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${word}">`,
    `<title>${label}: ${word}</title>`,
    `<rect width="${left}" height="20" fill="#3b444c"/><rect x="${left}" width="${right}" height="20" fill="${color}"/>`,
    text(left / 2, label),
    text(left + right / 2, word),
    '</svg>',
  ].join('');
}

/** For whoever knows the id of the app and the name of a branch that wants one. */
export async function getBadge(ctx: Ctx, appId: string, branch: string): Promise<string> {
  const settings = await findSettings(ctx, appId, branch);
  if (settings?.badgeIsEnabled !== true) throw notFound('badge');
  const last = await findLastResult.first(ctx.db, { appId, branch });
  return draw(looks[last?.result === 'succeeded' || last?.result === 'failed' ? last.result : 'none']);
}
