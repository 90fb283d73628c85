/**
 * Truncates untrusted text, so that every file and database can store it: replaces lone surrogates, which truncation
 * can cause, and NUL.
 */
export const cutText = (text: string, length: number): string =>
  text.length <= length && text.isWellFormed() && !text.includes('\0')
    ? text
    : text.slice(0, length).toWellFormed().replaceAll('\0', '\ufffd');
