import { problem, type ResponseKind } from './kind.ts';

/** Redirects a browser to another URL. */
export interface RedirectResponse {
  kind: 'redirect';
  status: number;
  description: string;
}

export const redirect = (options: { status?: 301 | 302 | 303 | 307; description: string }): RedirectResponse => ({
  kind: 'redirect',
  status: 302,
  ...options,
});

export const redirectResponse: ResponseKind<RedirectResponse> = {
  statuses: ({ status }) => [status],
  describe: ({ status, description }) => ({
    [status]: { description, headers: { Location: { schema: { type: 'string' } } } },
  }),
  accept: () => '*/*',
  read: (_, httpResponse) => httpResponse.headers.get('location') ?? '',
  check: (_, { headers }) => problem(Boolean(headers.location), 'the response has no Location header'),
};
