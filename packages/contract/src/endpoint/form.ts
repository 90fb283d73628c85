import type { TObject } from 'typebox';
import { JSON_TYPE } from './json.ts';
import { type RequestKind, withExample } from './kind.ts';

/** Short fields, each at most once, as application/x-www-form-urlencoded. */
export interface FormRequest<S extends TObject = TObject> {
  kind: 'form';
  schema: S;
  maxBytes: number;
  maxFields: number;
  /** Also accepts the fields as a JSON object. */
  orJson?: true;
}

export const form = <S extends TObject>(schema: S, options: Omit<FormRequest, 'kind' | 'schema'>): FormRequest<S> => ({
  kind: 'form',
  schema,
  ...options,
});

export const FORM_TYPE = 'application/x-www-form-urlencoded';

const encoded = (fields: unknown) => ({
  body: new URLSearchParams(fields as Record<string, string>).toString(),
  type: FORM_TYPE,
});

export const formRequest: RequestKind<FormRequest> = {
  describe({ schema, orJson }, { refer, example }) {
    const content = withExample(refer(schema), example);
    return { [FORM_TYPE]: content, ...(orJson ? { [JSON_TYPE]: content } : {}) };
  },
  write: (_, { body = {} }) => encoded(body),
  sample: (_, example = {}) => encoded(example),
};
