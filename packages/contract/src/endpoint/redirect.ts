import { problem, type ResponseKind } from './kind.ts';

/** Sends a browser on to another address. */
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
  read: (_, answer) => answer.headers.get('location') ?? '',
  check: (_, { headers }) => problem(Boolean(headers.location), 'it names no address'),
};
