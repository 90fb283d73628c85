import { problem, type ResponseKind, typeOf } from './kind.ts';

/** Text for other programs, such as a feed: sent again only if it has changed. */
export interface TextResponse {
  kind: 'text';
  /** Its media type. */
  type: string;
  description: string;
  /** How long others may keep it; not at all if absent. */
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
    304: { description: 'It is the one that If-None-Match names, or has not changed since If-Modified-Since.' },
  }),
  accept: ({ type }) => type,
  read: (_, answer) => answer.text(),
  check: ({ type }, answered) => [
    ...problem(typeOf(answered).startsWith(type), `its type is ${typeOf(answered)}`),
    ...problem(answered.body !== '', 'it is empty'),
  ],
};
