import fc from 'fast-check';

/**
 * Text that ends or starts something in some format, or is not what it looks like. Random generation rarely produces
 * it.
 */
const hostile = [
  ...[
    '"',
    "'",
    '`',
    '<',
    '>',
    '&',
    ';',
    '&amp;',
    '&#39;',
    ']]>',
    '<!--',
    '-->',
    '/',
    '\\',
    '//',
    '..',
    '%',
    '%00',
    '%2F',
  ],
  ...['{', '}', '[', ']', '(', ')', '$', '#', '?', '=', ',', '.', ':', '@', '|', '*', '+', '~', '_', '-', ' '],
  ...['\t', '\n', '\r', '\r\n', '\u0085', '\u00a0', '\u200b', '\u2028', '\u2029', '\u202e', '\ufeff', '\u0301'],
  ...['İ', 'ſ', 'ß', '\u{1f468}\u200d\u{1f469}', '__proto__', 'constructor'],
];

/** Characters of valid text, often hostile ones: `fc.string({ unit: soundSign })`. */
export const soundSign = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);

/** The same, and invalid ones: control characters and unpaired surrogates. */
export const anySign = fc.oneof(
  fc.constantFrom(...hostile, '\0', '\u0001', '\u001f', '\u007f', '\ud800', '\udfff', '\ufffe', '\uffff'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
