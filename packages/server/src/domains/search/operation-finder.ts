import { endpoints } from '@mooring/contract';
import type { Finder } from '../../extensions/finders.ts';
import { foldText } from '../../kernel/text/search-key.ts';

const operations = endpoints.map(({ id, tag, method, path, summary }) => ({
  id,
  tag,
  summary,
  address: `${method} ${path}`,
  key: foldText(`${id} ${method} ${path} ${summary}`),
}));

/** Finds operations of the API document, which is public. */
export const operationFinder: Finder = {
  find: async (_ctx, terms, limit) =>
    operations
      .filter(({ key }) => terms.every((term) => key.includes(term)))
      .slice(0, limit)
      .map(({ id, tag, summary, address }) => ({
        kind: 'operation',
        id,
        title: summary,
        detail: address,
        path: { operation_id: id, tag },
      })),
};
