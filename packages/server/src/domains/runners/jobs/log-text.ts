/** Colors, which end in m, are kept; titles, links and cursor moves are removed. */
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences start with them
  /\x1b\[[0-?]{0,100}[ -/]{0,10}[@-~]|\x1b[\]PX^_][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)?|\x1b[ -/]{0,10}[0-~]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors start with one
const color = /^\x1b\[[0-9;:]*m$/;
/** Everything else that moves the cursor, reverses text or cannot be drawn, except line breaks and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
const control = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape that starts no color
const strayEscape = /\x1b(?!\[[0-9;:]{0,100}m)/g;

/**
 * Makes log text safe to print: existing clients write it to a terminal unchanged. A line that overwrites itself becomes
 * several, so that nothing in it is hidden.
 */
export const toSafeLog = (text: string): string =>
  text
    .replace(sequence, (found) => (color.test(found) ? found : ''))
    .replace(strayEscape, '')
    .replace(/\r+/g, (found, at: number, all: string) => ((all[at + found.length] ?? '\n') === '\n' ? '' : '\n'))
    .replace(control, '');
