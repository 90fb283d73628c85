import {
  Analytics_CreateOrUpdateAudience,
  Analytics_DeleteAudience,
  Analytics_ListAudiences,
  Analytics_TestAudience,
  customPropertyTypes,
  type EndpointOutput,
} from '@mooring/contract';
import { app, readApp } from '../../arguments/targets.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

const audience = { summary: 'Name of the audience' } as const;
const definition = {
  summary: "Filter expression for devices, such as \"AppVersion ge '1.10' and plan eq 'pro'\"",
} as const;
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
      const propertyType = customPropertyTypes.find((one) => one === type);
      if (!name || !propertyType) {
        throw wrongUsage(
          `Invalid --properties. Use NAME=TYPE, comma-separated, with the types ${customPropertyTypes.join(', ')}.`,
        );
      }
      return [name, propertyType];
    }),
  );
}

type Audience = EndpointOutput<typeof Analytics_ListAudiences>['values'][number];
const columns: Column<Audience>[] = [
  { header: 'AUDIENCE', value: ({ name }) => name },
  { header: 'DEVICES', value: ({ estimated_count }) => estimated_count },
  { header: 'STATE', value: ({ state }) => state },
  { header: 'DEFINITION', value: ({ definition }) => definition },
];

export const audienceCommands = [
  operation({
    name: 'analytics audiences list',
    summary: 'List audiences with their number of devices',
    endpoint: Analytics_ListAudiences,
    arguments: { app },
    options: { all: { summary: 'Include disabled audiences' } },
    input: ({ args, options }) => ({
      params: readApp(args.app),
      query: options.all ? { include_disabled: true } : {},
    }),
    columns,
  }),
  operation({
    name: 'analytics audiences test',
    summary: 'Count the devices that match a definition, without saving it',
    endpoint: Analytics_TestAudience,
    arguments: { app, definition },
    options,
    input: ({ args, options }) => ({
      params: readApp(args.app),
      body: { definition: args.definition, custom_properties: readTypes(options.properties) },
    }),
    columns: [
      { header: 'DEVICES', value: ({ estimated_count }) => estimated_count },
      { header: 'TOTAL', value: ({ estimated_total_count }) => estimated_total_count },
    ],
  }),
  operation({
    name: 'analytics audiences save',
    summary: 'Create or replace an audience',
    endpoint: Analytics_CreateOrUpdateAudience,
    arguments: { app, audience, definition },
    options: {
      ...options,
      description: { value: 'TEXT', summary: 'Description' },
      disabled: {
        value: 'yes|no',
        summary: 'Whether the audience is disabled, so that its devices are not counted',
        choices: ['yes', 'no'],
      },
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
    summary: 'Delete an audience',
    endpoint: Analytics_DeleteAudience,
    arguments: { app, audience },
    input: ({ args }) => ({ params: { ...readApp(args.app), audience_name: args.audience } }),
    confirm: ({ args }) => `Delete the audience ${args.audience} of ${args.app}?`,
    done: ({ args }) => `Deleted audience ${args.audience}.`,
  }),
];
