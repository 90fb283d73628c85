import { setImmediate } from 'node:timers/promises';
import type { IOptions, Tag } from 'sanitize-html';

const isLink = (href: string | undefined): href is string => /^(https?:\/\/|mailto:)/i.test(href ?? '');

/** Allows text, lists, tables and links; nothing that runs, loads, styles, embeds or submits. */
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
  // The content of these elements is not text for readers.
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
/** The parser needs quadratic time for deep nesting. */
const deepest = 100;

/** The article was refused; the message has the reason. */
export class ArticleProblem extends Error {
  override name = 'ArticleProblem';
}

function refuseLong(html: string): void {
  if (html.length <= longestArticle) return;
  throw new ArticleProblem(`The article has ${html.length} characters; the maximum is ${longestArticle}.`);
}

function countDepth(): Pick<IOptions, 'onOpenTag' | 'onCloseTag'> {
  let depth = 0;
  return {
    onOpenTag: () => {
      depth += 1;
      if (depth > deepest) throw new ArticleProblem(`The article has tags nested more than ${deepest} levels deep.`);
    },
    onCloseTag: () => {
      depth -= 1;
    },
  };
}

/**
 * Sanitizes the HTML of an article and keeps its text. Removing a tag can change how its neighbors are parsed, so it repeats
 * until nothing changes; if that takes too long, the article becomes plain text. Sanitizing again changes nothing.
 */
export async function sanitiseArticle(html: string): Promise<string> {
  // Loaded with the first article, to keep the start of the server fast.
  const { default: sanitize } = await import('sanitize-html');
  refuseLong(html);
  let clean = sanitize(html, { ...options, ...countDepth() });
  for (let round = 0; round < mostRounds; round += 1) {
    const before = clean;
    clean = sanitize(before, options);
    // The result must pass as input again.
    refuseLong(clean);
    if (clean === before) return clean;
  }
  return sanitize(clean, { ...options, allowedTags: [] });
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Sanitizes text that may contain tags. Text that would be refused as an article is escaped instead. */
export async function sanitiseText(text: string): Promise<string> {
  // Yields after each text: a whole feed must not block other requests.
  await setImmediate();
  try {
    return await sanitiseArticle(text);
  } catch (error) {
    if (!(error instanceof ArticleProblem)) throw error;
    return text.replace(/[&<>]/g, (character) => entities[character] ?? '');
  }
}
