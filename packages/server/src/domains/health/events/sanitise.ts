import { setImmediate } from 'node:timers/promises';
import type { IOptions, Tag } from 'sanitize-html';

const isLink = (href: string | undefined): href is string => /^(https?:\/\/|mailto:)/i.test(href ?? '');

/** Text, lists, tables and links; nothing that runs, loads, styles, frames or asks. */
const options: IOptions = {
  allowedTags: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'br', 'hr', 'blockquote', 'pre', 'a'],
    ...['b', 'strong', 'i', 'em', 'u', 's', 'small', 'mark', 'sub', 'sup', 'code', 'kbd', 'samp'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href', 'rel', 'target'], th: ['colspan', 'rowspan'], td: ['colspan', 'rowspan'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  // What stands in these is no text for readers.
  nonTextTags: ['script', 'style', 'textarea', 'option', 'xmp', 'noscript', 'iframe', 'title'],
  transformTags: {
    a: (tagName, { href }): Tag => ({
      tagName,
      attribs: isLink(href) ? { href, rel: 'noopener nofollow', target: '_blank' } : {},
    }),
  },
};

const mostRounds = 8;
export const longestArticle = 200_000;
/** The parser needs quadratic time for what is nested without end. */
const deepest = 100;

/** An article that is not taken; the message says why. */
export class ArticleProblem extends Error {
  override name = 'ArticleProblem';
}

function refuseLong(html: string): void {
  if (html.length <= longestArticle) return;
  throw new ArticleProblem(`The article has ${html.length} characters; at most ${longestArticle} are taken.`);
}

function countDepth(): Pick<IOptions, 'onOpenTag' | 'onCloseTag'> {
  let depth = 0;
  return {
    onOpenTag: () => {
      depth += 1;
      if (depth > deepest) throw new ArticleProblem(`The article has tags nested more than ${deepest} deep.`);
    },
    onCloseTag: () => {
      depth -= 1;
    },
  };
}

/**
 * Article HTML that is safe to show, with its text kept. Doing it again changes nothing: a tag that is dropped can change
 * how its neighbours are read, so it is done until it settles, and what does not settle becomes plain text.
 */
export async function sanitiseArticle(html: string): Promise<string> {
  // Loaded when the first article comes: the server starts without it.
  const { default: sanitize } = await import('sanitize-html');
  refuseLong(html);
  let clean = sanitize(html, { ...options, ...countDepth() });
  for (let round = 0; round < mostRounds; round += 1) {
    const before = clean;
    clean = sanitize(before, options);
    // What is given out must be taken back.
    refuseLong(clean);
    if (clean === before) return clean;
  }
  return sanitize(clean, { ...options, allowedTags: [] });
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text that may have tags in it, as safe as an article. What would not be taken as one is shown with its tags, as text. */
export async function sanitiseText(text: string): Promise<string> {
  // One turn each: those of a whole feed must not hold up everybody else.
  await setImmediate();
  try {
    return await sanitiseArticle(text);
  } catch (error) {
    if (!(error instanceof ArticleProblem)) throw error;
    return text.replace(/[&<>]/g, (character) => entities[character] ?? '');
  }
}
