import { type FileExample, sampleForm } from './file.ts';
import type { RequestKind } from './kind.ts';

/** Several files in one form (multipart/form-data), each streamed in turn. */
export interface FilesRequest {
  kind: 'files';
  /** Names of the fields, which say how a file is encoded. */
  fields: readonly string[];
  maxFiles: number;
  /** Of each file. */
  maxBytes: number;
  /** Of all files together. */
  maxTotalBytes: number;
}

export const files = (options: Omit<FilesRequest, 'kind'>): FilesRequest => ({ kind: 'files', ...options });

/** A file of an example, in the first field. */
export interface FilesExample extends FileExample {
  name: string;
}

export const filesRequest: RequestKind<FilesRequest> = {
  describe: ({ fields, maxFiles, maxBytes, maxTotalBytes }) => ({
    'multipart/form-data': {
      schema: {
        type: 'object',
        description: `At most ${maxFiles} files of at most ${maxBytes} bytes each, ${maxTotalBytes} bytes together.`,
        properties: Object.fromEntries(
          fields.map((field) => [field, { type: 'array', items: { type: 'string', format: 'binary' } }]),
        ),
      },
    },
  }),
  write({ fields: [field = ''] }, { file }) {
    if (!file) throw new TypeError('This operation requires a file.');
    const form = new FormData();
    form.append(field, file);
    return { body: form };
  },
  sample: ({ fields: [field = ''] }, example) => {
    const { name, type, base64 } = example as FilesExample;
    const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return sampleForm(field, content, { type, name });
  },
};
