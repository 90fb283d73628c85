import { Ajv } from 'ajv';
import formats from 'ajv-formats';

const MAX_LENGTH = 254;
const hasFormat = formats.default(new Ajv()).compile<string>({ type: 'string', format: 'email' });

/** The rule for the email address of an account, for lists whose entries are validated one by one. */
export const isEmail = (text: string): boolean => text.length <= MAX_LENGTH && hasFormat(text);
