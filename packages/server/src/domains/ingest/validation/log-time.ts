const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d{1,12})?)?(Z|[+-]\d\d(:?\d\d)?)?$/i;

/**
 * Parses the time of a log to epoch ms; undefined if unreadable. Some SDKs write three digits of a second, some seven; without
 * a time zone it is UTC.
 */
export function parseLogTime(text: string): number | undefined {
  // The format of Android and Apple.
  if (text.length === 24 && text.endsWith('Z')) {
    const at = Date.parse(text);
    if (!Number.isNaN(at)) return at;
  }
  const match = form.exec(text);
  if (!match) return undefined;
  const at = Date.parse(match[3] === undefined ? `${text}Z` : text.toUpperCase());
  return Number.isNaN(at) ? undefined : at;
}
