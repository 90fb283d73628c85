import type { TObject } from 'typebox';
import { JSON_TYPE } from './json.ts';
import { type Json, type RequestKind, withExample } from './kind.ts';

/** Files of a form. The server checks their content itself. */
export interface PartsFiles {
  /** The name of their field, which may occur several times. */
  field: string;
  types: readonly string[];
  maxFiles: number;
  /** The maximum size of each. */
  maxBytes: number;
}

/** Short fields, each at most once, and a few files, as multipart/form-data. Read into memory as a whole. */
export interface PartsRequest<S extends TObject = TObject> {
  kind: 'parts';
  schema: S;
  files: PartsFiles;
  /** The maximum size of the whole body. */
  maxBytes: number;
  /** Also accepts the fields as a JSON object, without files. */
  orJson?: true;
}

export const parts = <S extends TObject>(
  schema: S,
  options: Omit<PartsRequest, 'kind' | 'schema'>,
): PartsRequest<S> => ({ kind: 'parts', schema, ...options });

export const PARTS_TYPE = 'multipart/form-data';

const boundary = '8d2b6f0e41c7a953';

const toForm = (fields: unknown): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries((fields ?? {}) as Record<string, string | undefined>)) {
    if (value !== undefined) form.append(name, value);
  }
  return form;
};

/** A form with these fields and without files, as browsers write it. */
const writeFields = (fields: object): string =>
  [
    ...Object.entries(fields).map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    `--${boundary}--\r\n`,
  ].join('');

export const partsRequest: RequestKind<PartsRequest> = {
  describe({ schema, files, orJson }, { refer, example }) {
    const pictures: Json = {
      type: 'array',
      maxItems: files.maxFiles,
      items: { type: 'string', format: 'binary', description: `At most ${files.maxBytes} bytes.` },
    };
    const fields = {
      type: 'object',
      required: schema.required ?? [],
      properties: { ...(schema.properties as Json), [files.field]: pictures },
    };
    const form = {
      ...withExample(fields, example),
      encoding: { [files.field]: { contentType: files.types.join(', ') } },
    };
    return { [PARTS_TYPE]: form, ...(orJson ? { [JSON_TYPE]: withExample(refer(schema), example) } : {}) };
  },
  write({ files: { field } }, { body, files = [] }) {
    const form = toForm(body);
    for (const file of files) form.append(field, file);
    return { body: form };
  },
  sample: (_, example = {}) => ({
    body: writeFields(example as object),
    type: `${PARTS_TYPE}; boundary=${boundary}`,
  }),
};
