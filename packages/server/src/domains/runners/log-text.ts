/** Colors, which end in m, are kept; titles, links, cursor moves and the like are not. */
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences of terminals begin with them
  /\x1b\[[0-?]{0,100}[ -/]{0,10}[@-~]|\x1b[\]PX^_][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)?|\x1b[ -/]{0,10}[0-~]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
const color = /^\x1b\[[0-9;:]*m$/;
/** Everything else that moves the cursor, reverses text or cannot be drawn, except line breaks and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
const control = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape that begins no color
const strayEscape = /\x1b(?!\[[0-9;:]{0,100}m)/g;

/**
 * Log text that no client has to be afraid of: existing clients print it to a terminal as it is. A line that is written over
 * itself becomes several, so that nothing in it is hidden.
 */
export const toSafeLog = (text: string): string =>
  text
    .replace(sequence, (found) => (color.test(found) ? found : ''))
    .replace(strayEscape, '')
    .replace(/\r+/g, (found, at: number, all: string) => ((all[at + found.length] ?? '\n') === '\n' ? '' : '\n'))
    .replace(control, '');
