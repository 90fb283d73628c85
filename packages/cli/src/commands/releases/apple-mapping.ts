import {
  appleMapping_create,
  appleMapping_delete,
  appleMapping_get,
  appleMapping_TestFlightGroups,
  type EndpointOutput,
} from '@mooring/contract';
import { app, readApp } from '../../arguments/targets.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

const columns: Column<EndpointOutput<typeof appleMapping_get>>[] = [
  { header: 'APPLE ID', value: ({ apple_id }) => apple_id },
  { header: 'BUNDLE', value: ({ bundle_identifier }) => bundle_identifier },
  { header: 'TEAM', value: ({ team_identifier }) => team_identifier },
  { header: 'CONNECTION', value: ({ service_connection_id }) => service_connection_id },
];

/** Reads comma-separated pairs `id=name`. */
export function readTestFlightGroups(text: string): { id: string; name: string }[] {
  return text.split(',').map((pair) => {
    const at = pair.indexOf('=');
    const [id, name] = at < 0 ? [pair.trim(), pair.trim()] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (id === '' || name === '') throw wrongUsage(`Invalid group "${pair}". Use ID=NAME, comma-separated.`);
    return { id, name };
  });
}

export const appleMappingCommands = [
  operation({
    name: 'apple-mapping show',
    summary: 'Show the App Store app that an app is linked to',
    endpoint: appleMapping_get,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  operation({
    name: 'apple-mapping set',
    summary: 'Link an app to an App Store app',
    endpoint: appleMapping_create,
    arguments: { app, team: { summary: 'Apple team ID, such as A1B2C3D4E5' } },
    options: {
      'apple-id': { value: 'NUMBER', summary: 'Apple ID of the app in the App Store' },
      bundle: { value: 'ID', summary: 'Bundle identifier' },
      connection: { value: 'ID', summary: 'ID of a service connection (default "runner")' },
      groups: { value: 'ID=NAME,…', summary: 'TestFlight groups to pass to the publish command, comma-separated' },
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
    summary: 'Unlink an app from its App Store app',
    endpoint: appleMapping_delete,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    confirm: ({ args }) => `Unlink ${args.app} from its App Store app?`,
    done: ({ args }) => `Unlinked ${args.app} from its App Store app.`,
  }),
  operation({
    name: 'apple-mapping groups',
    summary: 'List the saved TestFlight groups of an app',
    endpoint: appleMapping_TestFlightGroups,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'NAME', value: ({ name }) => name },
    ],
  }),
];
