import { search_find } from '@mooring/contract';
import { operation } from '../framework/operation.ts';

export const searchCommands = [
  operation({
    name: 'search',
    endpoint: search_find,
    arguments: { text: { summary: 'Words of the names' } },
    input: ({ args }) => ({ query: { q: args.text } }),
    columns: [
      { header: 'KIND', value: ({ kind }) => kind },
      { header: 'TITLE', value: ({ title }) => title },
      { header: 'DETAIL', value: ({ detail }) => detail },
    ],
  }),
];
