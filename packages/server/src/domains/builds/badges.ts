import type { Ctx } from '../../context.ts';
import { notFound } from '../../kernel/errors.ts';
import { findLastResult } from './builds.store.ts';
import { findSettings } from './configurations/branch-configurations.ts';

const looks = {
  succeeded: { status: 'passing', color: '#2b7a3d' },
  failed: { status: 'failing', color: '#c92a2a' },
  none: { status: 'not built', color: '#5b6873' },
} as const;

/** Approximate text width at this font size. */
const getWidth = (status: string): number => status.length * 7 + 12;

/** Contains no user input. */
function draw({ status, color }: (typeof looks)[keyof typeof looks]): string {
  const label = 'build';
  const [left, right] = [getWidth(label), getWidth(status)];
  const text = (at: number, content: string) =>
    `<text x="${at}" y="14" text-anchor="middle" fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${content}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${status}">`,
    `<title>${label}: ${status}</title>`,
    `<rect width="${left}" height="20" fill="#3b444c"/><rect x="${left}" width="${right}" height="20" fill="${color}"/>`,
    text(left / 2, label),
    text(left + right / 2, status),
    '</svg>',
  ].join('');
}

/** Public for anyone who knows the app ID and the name of a branch with an enabled badge. */
export async function getBadge(ctx: Ctx, appId: string, branch: string): Promise<string> {
  const settings = await findSettings(ctx, appId, branch);
  if (settings?.badgeIsEnabled !== true) throw notFound('badge');
  const last = await findLastResult.first(ctx.db, { appId, branch });
  return draw(looks[last?.result === 'succeeded' || last?.result === 'failed' ? last.result : 'none']);
}
