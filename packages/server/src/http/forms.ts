import { badRequest } from '../kernel/errors.ts';

/** A form of ours has a handful of short fields; larger ones are refused before they are looked into. */
export const FORM_BYTES = 8192;
const MAX_FIELDS = 20;

/** Reads application/x-www-form-urlencoded, in one pass: whoever sends it need not have signed in. */
export function readForm(text: string): Record<string, string> {
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) {
    throw badRequest(`The form has more than ${MAX_FIELDS} fields.`);
  }
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) throw badRequest(`${name.slice(0, 50)} is given more than once.`);
    if (name.includes('\0') || value.includes('\0')) throw badRequest('The form must not contain a NUL character.');
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
