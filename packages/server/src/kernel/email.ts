import { Ajv } from 'ajv';
import formats from 'ajv-formats';

const LONGEST = 254;
const hasFormat = formats.default(new Ajv()).compile<string>({ type: 'string', format: 'email' });

/** The same rule as for the e-mail of an account, for lists in which each entry is answered for itself. */
export const isEmail = (text: string): boolean => text.length <= LONGEST && hasFormat(text);
