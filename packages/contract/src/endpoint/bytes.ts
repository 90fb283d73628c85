import type { RequestKind } from './kind.ts';

/** A body that is taken as it is, whole and in memory; it may come compressed with gzip. */
export interface BytesRequest {
  kind: 'bytes';
  /** Media types that are taken. */
  types: readonly string[];
  /** As it is sent. */
  maxBytes: number;
  /** After it was inflated. */
  maxInflated: number;
}

export const bytes = (options: Omit<BytesRequest, 'kind'>): BytesRequest => ({ kind: 'bytes', ...options });

export const bytesRequest: RequestKind<BytesRequest> = {
  describe: ({ types, maxBytes, maxInflated }, { example }) =>
    Object.fromEntries(
      types.map((type) => [
        type,
        {
          schema: {
            type: 'string',
            format: 'binary',
            description: `At most ${maxBytes} bytes; with Content-Encoding: gzip at most ${maxInflated} once inflated.`,
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
