import { type FileRequest, fileRequest } from './file.ts';
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

/** A call of a client or an example sends one file, in the first field. */
const toFile = ({ fields: [field = ''], maxBytes }: FilesRequest): FileRequest => ({
  kind: 'file',
  field,
  types: [],
  maxBytes,
});

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
  write: (request, sent) => fileRequest.write(toFile(request), sent),
  sample: (request, example) => fileRequest.sample(toFile(request), example),
};
