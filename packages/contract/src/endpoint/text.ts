import { getContentType, problem, type ResponseKind } from './kind.ts';

/** Text for other programs, such as a feed. Supports conditional requests. */
export interface TextResponse {
  kind: 'text';
  /** The media type. */
  type: string;
  description: string;
  /** The Cache-Control header (default: not cacheable). */
  cache?: string;
}

export const text = (options: Omit<TextResponse, 'kind'>): TextResponse => ({ kind: 'text', ...options });

export const textResponse: ResponseKind<TextResponse> = {
  statuses: () => [200, 304],
  describe: ({ type, description }) => ({
    200: {
      description,
      headers: { ETag: { schema: { type: 'string' } } },
      content: { [type]: { schema: { type: 'string' } } },
    },
    304: { description: 'Not modified: the text matches If-None-Match, or has not changed since If-Modified-Since.' },
  }),
  accept: ({ type }) => type,
  read: (_, httpResponse) => httpResponse.text(),
  check: ({ type }, received) => [
    ...problem(getContentType(received).startsWith(type), `the content type is ${getContentType(received)}`),
    ...problem(received.body !== '', 'the response is empty'),
  ],
};
