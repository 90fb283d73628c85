import formats from 'ajv-formats';

const LONGEST = 254;
const { get } = formats as unknown as { get(name: 'email'): RegExp };

/** The same rule as for the e-mail of an account, for lists in which each entry is answered for itself. */
export const isEmail = (text: string): boolean => text.length <= LONGEST && get('email').test(text);
