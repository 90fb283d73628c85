import { FORM_TYPE, type FormRequest } from '@mooring/contract';
import { badRequest } from '../../kernel/errors.ts';
import type { MountRequest } from './kind.ts';

/** Parses application/x-www-form-urlencoded in one pass, because the sender may be anonymous. */
export function readForm(text: string, maxFields: number): Record<string, string> {
  if (text.split('&', maxFields + 1).length > maxFields) {
    throw badRequest(`The form has more than ${maxFields} fields. Send fewer.`);
  }
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) throw badRequest(`${name.slice(0, 50)} occurs more than once. Send it once.`);
    if (name.includes('\0') || value.includes('\0')) throw badRequest('The form must not contain a NUL character.');
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

export const mountFormRequest: MountRequest<FormRequest> = ({ schema, maxBytes, maxFields, orJson }) => ({
  schema,
  bodyLimit: maxBytes,
  accept(scope) {
    if (!orJson) scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, async (_request: unknown, text: string) =>
      readForm(text, maxFields),
    );
  },
  refusal: `The body must be a form, sent with Content-Type: ${FORM_TYPE}${orJson ? ', or JSON' : ''}.`,
});
