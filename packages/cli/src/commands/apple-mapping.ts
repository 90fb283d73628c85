import {
  appleMapping_create,
  appleMapping_delete,
  appleMapping_get,
  appleMapping_TestFlightGroups,
  type OutputOf,
} from '@mooring/contract';
import { wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

const columns: Column<OutputOf<typeof appleMapping_get>>[] = [
  { header: 'APPLE ID', value: ({ apple_id }) => apple_id },
  { header: 'BUNDLE', value: ({ bundle_identifier }) => bundle_identifier },
  { header: 'TEAM', value: ({ team_identifier }) => team_identifier },
  { header: 'CONNECTION', value: ({ service_connection_id }) => service_connection_id },
];

/** `id=name`, with commas between them. */
export function readTestFlightGroups(text: string): { id: string; name: string }[] {
  return text.split(',').map((pair) => {
    const at = pair.indexOf('=');
    const [id, name] = at < 0 ? [pair.trim(), pair.trim()] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (id === '' || name === '') throw wrongUsage(`"${pair}" is no group: write id=name, with commas between groups.`);
    return { id, name };
  });
}

export const appleMappingCommands = [
  operation({
    name: 'apple-mapping show',
    endpoint: appleMapping_get,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  operation({
    name: 'apple-mapping set',
    endpoint: appleMapping_create,
    arguments: { app, team: { summary: 'Identifier of the team, such as A1B2C3D4E5' } },
    options: {
      'apple-id': { value: 'NUMBER', summary: 'Number of the app in the App Store' },
      bundle: { value: 'ID', summary: 'Its bundle identifier' },
      connection: { value: 'ID', summary: 'Of a connection of another service; "runner" if absent' },
      groups: { value: 'ID=NAME,…', summary: 'Its TestFlight groups, as its command is told of them' },
    },
    input: ({ args, options }) => ({
      params: readApp(args.app),
      body: {
        team_identifier: args.team,
        service_connection_id: options.connection ?? 'runner',
        ...(options['apple-id'] === undefined ? {} : { apple_id: options['apple-id'] }),
        ...(options.bundle === undefined ? {} : { bundle_identifier: options.bundle }),
        ...(options.groups === undefined ? {} : { test_flight_groups: readTestFlightGroups(options.groups) }),
      },
    }),
    columns,
  }),
  operation({
    name: 'apple-mapping remove',
    endpoint: appleMapping_delete,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    confirm: ({ args }) => `Forget which app of the App Store ${args.app} is?`,
    done: ({ args }) => `It is forgotten which app of the App Store ${args.app} is.`,
  }),
  operation({
    name: 'apple-mapping groups',
    endpoint: appleMapping_TestFlightGroups,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'NAME', value: ({ name }) => name },
    ],
  }),
];
