import {
  Analytics_CreateOrUpdateAudience,
  Analytics_DeleteAudience,
  Analytics_ListAudiences,
  Analytics_TestAudience,
  customPropertyTypes,
  type OutputOf,
} from '@mooring/contract';
import { wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

const audience = { summary: 'Name of the audience' } as const;
const definition = { summary: "Which devices, such as \"AppVersion ge '1.10' and plan eq 'pro'\"" } as const;
const options = {
  properties: { value: 'LIST', summary: 'Types of custom properties, such as plan=string,age=number' },
} as const;

type PropertyType = (typeof customPropertyTypes)[number];

/** Reads `plan=string,age=number`. */
export function readTypes(text = ''): Record<string, PropertyType> {
  const pairs = text.split(',').filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', type = ''] = pair.split('=');
      const known = customPropertyTypes.find((one) => one === type);
      if (!name || !known) {
        throw wrongUsage(`--properties must look like plan=string, with one of ${customPropertyTypes.join(', ')}.`);
      }
      return [name, known];
    }),
  );
}

type Audience = OutputOf<typeof Analytics_ListAudiences>['values'][number];
const columns: Column<Audience>[] = [
  { header: 'AUDIENCE', value: ({ name }) => name },
  { header: 'DEVICES', value: ({ estimated_count }) => estimated_count },
  { header: 'STATE', value: ({ state }) => state },
  { header: 'DEFINITION', value: ({ definition }) => definition },
];

export const audienceCommands = [
  operation({
    name: 'analytics audiences list',
    endpoint: Analytics_ListAudiences,
    arguments: { app },
    options: { all: { summary: 'Also those that are disabled' } },
    input: ({ args, options }) => ({
      params: readApp(args.app),
      query: options.all ? { include_disabled: true } : {},
    }),
    columns,
  }),
  operation({
    name: 'analytics audiences test',
    endpoint: Analytics_TestAudience,
    arguments: { app, definition },
    options,
    input: ({ args, options }) => ({
      params: readApp(args.app),
      body: { definition: args.definition, custom_properties: readTypes(options.properties) },
    }),
    columns: [
      { header: 'DEVICES', value: ({ estimated_count }) => estimated_count },
      { header: 'OF', value: ({ estimated_total_count }) => estimated_total_count },
    ],
  }),
  operation({
    name: 'analytics audiences save',
    endpoint: Analytics_CreateOrUpdateAudience,
    arguments: { app, audience, definition },
    options: {
      ...options,
      description: { value: 'TEXT', summary: 'What it is for' },
      disabled: { value: 'yes|no', summary: 'Keep it, but do not count it', choices: ['yes', 'no'] },
    },
    input: ({ args, options }) => ({
      params: { ...readApp(args.app), audience_name: args.audience },
      body: {
        definition: args.definition,
        custom_properties: readTypes(options.properties),
        enabled: options.disabled !== 'yes',
        ...(options.description === undefined ? {} : { description: options.description }),
      },
    }),
    columns,
  }),
  operation({
    name: 'analytics audiences delete',
    endpoint: Analytics_DeleteAudience,
    arguments: { app, audience },
    input: ({ args }) => ({ params: { ...readApp(args.app), audience_name: args.audience } }),
    confirm: ({ args }) => `Delete the audience ${args.audience} of ${args.app}?`,
    done: ({ args }) => `Deleted ${args.audience}.`,
  }),
];
