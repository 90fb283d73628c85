const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d{1,12})?)?(Z|[+-]\d\d(:?\d\d)?)?$/i;

/**
 * When a log was made, in epoch ms; undefined if it does not say so legibly. Some SDKs write three digits of a second, some
 * seven, and what names no zone is UTC.
 */
export function parseLogTime(text: string): number | undefined {
  // What Android and Apple write.
  if (text.length === 24 && text.endsWith('Z')) {
    const at = Date.parse(text);
    if (!Number.isNaN(at)) return at;
  }
  const found = form.exec(text);
  if (!found) return undefined;
  const at = Date.parse(found[3] === undefined ? `${text}Z` : text.toUpperCase());
  return Number.isNaN(at) ? undefined : at;
}
