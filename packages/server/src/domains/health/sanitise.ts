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
  nestingLimit: 50,
  transformTags: {
    a: (tagName, { href }): Tag => ({
      tagName,
      attribs: isLink(href) ? { href, rel: 'noopener nofollow', target: '_blank' } : {},
    }),
  },
};

const mostRounds = 8;

/**
 * Article HTML that is safe to show, with its text kept. Doing it again changes nothing: a tag that is dropped can change
 * how its neighbours are read, so it is done until it settles, and what does not settle becomes plain text.
 */
export async function sanitiseArticle(html: string): Promise<string> {
  // Loaded when the first article comes: the server starts without it.
  const { default: sanitize } = await import('sanitize-html');
  let clean = sanitize(html, options);
  for (let round = 0; round < mostRounds; round += 1) {
    const before = clean;
    clean = sanitize(before, options);
    if (clean === before) return clean;
  }
  return sanitize(clean, { ...options, allowedTags: [] });
}
