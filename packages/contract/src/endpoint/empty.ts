import { problem, type ResponseKind } from './kind.ts';

/** A response without a body. */
export interface EmptyResponse {
  kind: 'empty';
  status: number;
  description: string;
}

export const empty = (options: { status?: number; description: string }): EmptyResponse => ({
  kind: 'empty',
  status: 204,
  ...options,
});

export const emptyResponse: ResponseKind<EmptyResponse> = {
  statuses: ({ status }) => [status],
  describe: ({ status, description }) => ({ [status]: { description } }),
  accept: () => 'application/json',
  read: async (_, httpResponse) => {
    await httpResponse.arrayBuffer();
  },
  check: (_, { body }) => problem(body === '', 'the response has a body'),
};
