import type { RequestKind } from './kind.ts';

export const contentEncodings = ['gzip', 'deflate', 'br', 'zstd'] as const;
export type ContentEncoding = (typeof contentEncodings)[number];

/** A raw body, read into memory as a whole. May be compressed with gzip. */
export interface BytesRequest {
  kind: 'bytes';
  /** The accepted media types. */
  types: readonly string[];
  /** Accepts every media type, and none. */
  isAnyType?: true;
  /** The accepted compressions, if not only gzip. */
  encodings?: readonly ContentEncoding[];
  /** The maximum size of the request body. */
  maxBytes: number;
  /** The maximum size after decompression. */
  maxInflated: number;
}

export const bytes = (options: Omit<BytesRequest, 'kind'>): BytesRequest => ({ kind: 'bytes', ...options });

export const bytesRequest: RequestKind<BytesRequest> = {
  describe: ({ types, encodings = ['gzip'], maxBytes, maxInflated }, { example }) =>
    Object.fromEntries(
      types.map((type) => [
        type,
        {
          schema: {
            type: 'string',
            format: 'binary',
            description: `At most ${maxBytes} bytes; with Content-Encoding: ${encodings.join(', ')} at most ${maxInflated} uncompressed.`,
          },
          ...(example === undefined ? {} : { example }),
        },
      ]),
    ),
  write: ({ types: [type = ''] }, { body }) => ({ body: body as Uint8Array<ArrayBuffer> | string, type }),
  sample: ({ types: [type = ''] }, example) => ({
    body: typeof example === 'string' ? example : JSON.stringify(example),
    type,
  }),
};
