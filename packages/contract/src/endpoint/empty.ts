import { problem, type ResponseKind } from './kind.ts';

/** The status says it all. */
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
  read: async (_, answer) => {
    await answer.arrayBuffer();
  },
  check: (_, { body }) => problem(body === '', 'it has a body'),
};
