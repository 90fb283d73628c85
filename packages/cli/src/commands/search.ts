import { search_find } from '@mooring/contract';
import { operation } from '../framework/operation.ts';

export const searchCommands = [
  operation({
    name: 'search',
    summary: 'Find apps, people, releases, crashes, builds, health events and API operations by name',
    endpoint: search_find,
    arguments: { text: { summary: 'Words to search for' } },
    input: ({ args }) => ({ query: { q: args.text } }),
    columns: [
      { header: 'KIND', value: ({ kind }) => kind },
      { header: 'TITLE', value: ({ title }) => title },
      { header: 'DETAIL', value: ({ detail }) => detail },
    ],
  }),
];
