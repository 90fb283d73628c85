/**
 * At most so much of a text that others wrote, as every file and database can hold it: a lone half of a surrogate pair is no
 * text, and cutting can make one; NUL ends a text elsewhere.
 */
export const cutText = (text: string, length: number): string =>
  text.length <= length && text.isWellFormed() && !text.includes('\0')
    ? text
    : text.slice(0, length).toWellFormed().replaceAll('\0', '\ufffd');
