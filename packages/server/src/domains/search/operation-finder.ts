import { endpoints } from '@mooring/contract';
import type { Finder } from '../../context.ts';
import { foldText } from '../../kernel/search-key.ts';

const operations = endpoints.map(({ id, tag, method, path, summary }) => ({
  id,
  tag,
  summary,
  address: `${method} ${path}`,
  key: foldText(`${id} ${method} ${path} ${summary}`),
}));

/** What the API document describes, which everybody can read. */
export const operationFinder: Finder = {
  find: async (_ctx, words, limit) =>
    operations
      .filter(({ key }) => words.every((word) => key.includes(word)))
      .slice(0, limit)
      .map(({ id, tag, summary, address }) => ({
        kind: 'operation',
        id,
        title: summary,
        detail: address,
        path: { operation_id: id, tag },
      })),
};
