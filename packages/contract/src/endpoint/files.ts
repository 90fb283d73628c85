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

/** A call of a client, an example and the API reference show one file, in the first field. */
const toFile = ({ fields: [field = ''], maxBytes }: FilesRequest): FileRequest => ({
  kind: 'file',
  field,
  types: ['application/octet-stream'],
  maxBytes,
});

export const filesRequest: RequestKind<FilesRequest> = {
  describe: (request, describing) => fileRequest.describe(toFile(request), describing),
  write: (request, sent) => fileRequest.write(toFile(request), sent),
  sample: (request, example) => fileRequest.sample(toFile(request), example),
};
